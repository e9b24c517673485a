/** What the bot has to be allowed in a server, and the link that asks for it. */
import { OAuth2Scopes, PermissionFlagsBits } from 'discord.js';

/** Each with the name that Discord shows beside its switch. */
export const neededPermissions = [
  { bit: PermissionFlagsBits.ViewChannel, name: 'View Channels' },
  { bit: PermissionFlagsBits.SendMessages, name: 'Send Messages' },
  { bit: PermissionFlagsBits.SendMessagesInThreads, name: 'Send Messages in Threads' },
  { bit: PermissionFlagsBits.CreatePublicThreads, name: 'Create Public Threads' },
  { bit: PermissionFlagsBits.ReadMessageHistory, name: 'Read Message History' },
  { bit: PermissionFlagsBits.AttachFiles, name: 'Attach Files' },
  { bit: PermissionFlagsBits.AddReactions, name: 'Add Reactions' },
] as const;

/** Whoever has one of them looks after a channel. */
export const managingPermissions = PermissionFlagsBits.ManageChannels | PermissionFlagsBits.ManageThreads;

/** What the bot lacks of it in a server, for the operator; undefined when nothing is missing. */
export function permissionsProblem(
  server: string,
  allowed: bigint,
): { readonly what: string; readonly fix: string } | undefined {
  const mayAll = (allowed & PermissionFlagsBits.Administrator) !== 0n;
  const missing = neededPermissions
    .filter(({ bit }) => !mayAll && (allowed & bit) === 0n)
    .map(({ name }) => name);
  if (missing.length === 0) return undefined;
  return {
    what: `${server}: the bot lacks ${missing.join(', ')}.`,
    fix: `In Discord open Server Settings, Roles, the role of the bot, and turn ${missing.length === 1 ? 'it' : 'them'} on.`,
  };
}

/** The number in an invite link: the permissions above, added. */
export const permissionsInteger = neededPermissions.reduce((sum, { bit }) => sum | bit, 0n);

/** Where a person who manages a server lets the bot in. */
export function inviteLink(applicationId: string): string {
  const scopes = [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join('+');
  return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=${scopes}&permissions=${permissionsInteger}`;
}
