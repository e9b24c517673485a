/** Application commands, global or of one server: all at once, or one by one. */
import type { APIApplicationCommand } from 'discord-api-types/v10';
import { rules } from '../rules.ts';
import { checkCommands } from './check-commands.ts';
import type { Json } from './check-components.ts';
import { Form, refusal } from './refusal.ts';
import type { Handle, RestCall, RouteTable } from './rest-call.ts';

const dayMs = 24 * 60 * 60_000;

function scopeOf({ world, params }: RestCall): string {
  if (params['application'] !== world.applicationId) throw refusal('missing_access', 'another application');
  const guildId = params['guild'];
  if (guildId !== undefined && !world.hasBot(guildId)) throw refusal('missing_access', 'not in this server');
  return guildId ?? 'global';
}

const keyOf = ({ type = 1, name }: Json | APIApplicationCommand): string => `${Number(type)} ${String(name)}`;

/** Stores what the scope has from now on. New names count towards the daily limit. */
function store({ world, params }: RestCall, scope: string, wanted: readonly Json[]): APIApplicationCommand[] {
  checkCommands(wanted);
  const known = new Map((world.commands.get(scope) ?? []).map((each) => [keyOf(each), each]));
  const today = (world.commandCreations.get(scope) ?? []).filter((at) => at > world.now() - dayMs);
  const fresh = wanted.filter((each) => !known.has(keyOf(each))).map(() => world.now());
  if (today.length + fresh.length > rules.daily_commands.max) throw refusal('daily_commands');
  world.commandCreations.set(scope, [...today, ...fresh]);
  const commands = wanted.map((command) => {
    const old = known.get(keyOf(command));
    return {
      type: 1,
      description: '',
      name_localizations: null,
      description_localizations: null,
      default_member_permissions: null,
      nsfw: false,
      ...command,
      id: old?.id ?? world.newId(),
      application_id: world.applicationId,
      version: world.newId(),
      ...(params['guild'] !== undefined && { guild_id: params['guild'] }),
    } as unknown as APIApplicationCommand;
  });
  world.commands.set(scope, commands);
  return commands;
}

const replaceAll: Handle = (call) => {
  const scope = scopeOf(call);
  const form = new Form();
  form.expect(Array.isArray(call.body['list']), 'body', 'wrong_type');
  form.done();
  return { status: 200, body: store(call, scope, call.body['list'] as readonly Json[]) };
};

const list: Handle = (call) => ({ status: 200, body: call.world.commands.get(scopeOf(call)) ?? [] });

const create: Handle = (call) => {
  const scope = scopeOf(call);
  const others = (call.world.commands.get(scope) ?? []).filter((each) => keyOf(each) !== keyOf(call.body));
  const isNew = others.length === (call.world.commands.get(scope) ?? []).length;
  const stored = store(call, scope, [...(others as unknown as Json[]), call.body]);
  return { status: isNew ? 201 : 200, body: stored.at(-1) };
};

function one(call: RestCall): { readonly scope: string; readonly command: APIApplicationCommand } {
  const scope = scopeOf(call);
  const command = call.world.commands.get(scope)?.find(({ id }) => id === call.params['command']);
  if (command === undefined) throw refusal('unknown_command');
  return { scope, command };
}

const get: Handle = (call) => ({ status: 200, body: one(call).command });

const edit: Handle = (call) => {
  const { scope, command } = one(call);
  const changed = { ...command, ...call.body } as unknown as Json;
  const all = (call.world.commands.get(scope) ?? []).map((each) => (each.id === command.id ? changed : each));
  const stored = store(call, scope, all as unknown as Json[]);
  return { status: 200, body: stored.find((each) => keyOf(each) === keyOf(changed)) };
};

const remove: Handle = (call) => {
  const { scope, command } = one(call);
  const left = (call.world.commands.get(scope) ?? []).filter(({ id }) => id !== command.id);
  call.world.commands.set(scope, left);
  return { status: 204 };
};

const anywhere = 'applications/:application/commands';
const here = 'applications/:application/guilds/:guild/commands';

export const commands = {
  set_commands: [`PUT /${anywhere}`, replaceAll],
  list_commands: [`GET /${anywhere}`, list],
  create_command: [`POST /${anywhere}`, create],
  get_command: [`GET /${anywhere}/:command`, get],
  edit_command: [`PATCH /${anywhere}/:command`, edit],
  delete_command: [`DELETE /${anywhere}/:command`, remove],
  set_guild_commands: [`PUT /${here}`, replaceAll],
  list_guild_commands: [`GET /${here}`, list],
  create_guild_command: [`POST /${here}`, create],
  get_guild_command: [`GET /${here}/:command`, get],
  edit_guild_command: [`PATCH /${here}/:command`, edit],
  delete_guild_command: [`DELETE /${here}/:command`, remove],
} as const satisfies RouteTable;
