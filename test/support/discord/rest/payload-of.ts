/** A message as REST shows it to the bot: the content intent of the portal decides, not the one a session asked for. */
import type { Discord } from '../discord.ts';
import { messagePayload } from '../world/payloads.ts';
import type { Message } from '../world/world.ts';

export const payloadOf = ({ world, cdnUrl }: Discord, message: Message) =>
  messagePayload(world, cdnUrl, message, { canRead: world.portal.messageContent });
