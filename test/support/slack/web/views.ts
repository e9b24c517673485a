/** Modals and the home page. */
import { rules } from '../rules.ts';
import type { Json, View } from '../world/world.ts';
import { checkBlocks, checkText } from './check-blocks.ts';
import { personIn } from './find.ts';
import { type Call, isObject, type Methods, textOf } from './method.ts';
import { blockRefusal, refusal } from './refusal.ts';

export const viewMethods: Methods = {
  'views.open': {
    token: 'bot',
    rate: 'tier_4',
    needs: ['trigger_id', 'view'],
    takes: ['trigger_id', 'view'],
    handle(call) {
      const body = checkView(call.args['view'], 'modal');
      const { userId, interaction } = call.slack.useTrigger(textOf(call.args['trigger_id']));
      const view = addView(call, 'modal', userId, body);
      interaction.views.push(view.id);
      return { view: viewPayload(view) };
    },
  },
  'views.push': {
    token: 'bot',
    rate: 'tier_4',
    needs: ['trigger_id', 'view'],
    takes: ['trigger_id', 'view'],
    handle(call) {
      const { slack, args } = call;
      const body = checkView(args['view'], 'modal');
      const { userId, interaction } = slack.useTrigger(textOf(args['trigger_id']));
      const below = slack.world.views.get(interaction.viewId ?? '');
      if (below === undefined) throw refusal('view_not_found', 'no view to push on');
      const view = pushView(call, below, userId, body);
      interaction.views.push(view.id);
      return { view: viewPayload(view) };
    },
  },
  'views.update': {
    token: 'bot',
    rate: 'tier_4',
    needs: ['view'],
    takes: ['view', 'view_id', 'external_id', 'hash'],
    handle({ slack, args }) {
      const body = checkView(args['view'], 'modal');
      const view = [...slack.world.views.values()].find(
        (each) =>
          each.type === 'modal' &&
          (each.id === args['view_id'] ||
            (args['external_id'] !== undefined && each.body['external_id'] === args['external_id'])),
      );
      if (view === undefined || !view.isOpen) throw refusal('view_not_found', textOf(args['view_id']));
      return { view: viewPayload(replaceView(view, body, args['hash'])) };
    },
  },
  'views.publish': {
    token: 'bot',
    rate: 'tier_4',
    needs: ['user_id', 'view'],
    takes: ['user_id', 'view', 'hash'],
    handle(call) {
      const { slack, args } = call;
      if (!slack.hasHome) throw refusal('home_not_enabled');
      const body = checkView(args['view'], 'home');
      const person = personIn(call, args['user_id']);
      const known = slack.homeOf(person.id);
      const view =
        known === undefined ? addView(call, 'home', person.id, body) : replaceView(known, body, args['hash']);
      return { view: viewPayload(view) };
    },
  },
};

/** A modal on top of another one; three are the most. */
export function pushView(call: Pick<Call, 'slack' | 'team'>, below: View, userId: string, body: Json): View {
  const { views } = call.slack.world;
  let height = 1;
  for (let at: View | undefined = below; at !== undefined; at = views.get(at.previousId ?? '')) height += 1;
  if (height > rules.view_stack.max) throw refusal('view_stack');
  return addView(call, 'modal', userId, body, below);
}

function addView(
  { slack, team }: Pick<Call, 'slack' | 'team'>,
  type: View['type'],
  userId: string,
  body: Json,
  below?: View,
): View {
  const id = slack.world.newId('V');
  const view: View = {
    id,
    teamId: team.id,
    type,
    userId,
    rootId: below?.rootId ?? id,
    ...(below !== undefined && { previousId: below.id }),
    hash: `${slack.world.now()}.${id}`,
    body,
    isOpen: true,
  };
  slack.world.views.set(id, view);
  return view;
}

export function replaceView(view: View, body: Json, hash: unknown): View {
  if (hash !== undefined && hash !== view.hash) throw refusal('hash_conflict', textOf(hash));
  view.body = body;
  view.hash = `${view.hash}x`;
  return view;
}

export const viewPayload = (view: View): Json => ({
  blocks: [],
  ...view.body,
  id: view.id,
  team_id: view.teamId,
  type: view.type,
  hash: view.hash,
  root_view_id: view.rootId,
  previous_view_id: view.previousId ?? null,
});

/** Returns the view when Slack takes it. */
export function checkView(value: unknown, type: View['type']): Json {
  if (!isObject(value) || value['type'] !== type) throw refusal('invalid_arguments', `view of type ${type}`);
  if (Buffer.byteLength(JSON.stringify(value)) > rules.view_size.max) throw refusal('view_size');
  if (type === 'modal') {
    checkText(value['title'], '/view/title', 'view_title', 'plain');
    if (value['submit'] !== undefined) checkText(value['submit'], '/view/submit', 'view_submit', 'plain');
    if (value['close'] !== undefined) checkText(value['close'], '/view/close', 'view_close', 'plain');
  }
  if (textOf(value['callback_id']).length > rules.view_callback.max)
    throw blockRefusal('view_callback', '/view/callback_id');
  if (textOf(value['private_metadata']).length > rules.private_metadata.max)
    throw blockRefusal('private_metadata', '/view/private_metadata');
  const blocks = checkBlocks(value['blocks'], type, '/view/blocks');
  const asks = blocks.some((block) => block['type'] === 'input');
  if (type === 'modal' && asks && value['submit'] === undefined)
    throw blockRefusal('view_submit_needed', '/view/submit');
  return { ...value, blocks };
}
