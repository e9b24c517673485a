/** How a message of the bot changes. Edits notify nobody. */
import { MessageFlags } from 'discord-api-types/v10';
import { tellMessage } from '../gateway/events.ts';
import { type Message, newest, type Version } from '../world/world.ts';
import { checkMessage } from './check-message.ts';
import { type DefaultParsing, mentionableText, pingsOf } from './mentions.ts';
import { payloadOf } from './payload-of.ts';
import type { RestCall } from './rest-call.ts';

const editableFlags = MessageFlags.SuppressEmbeds | MessageFlags.IsComponentsV2;

/** Only the fields that are given change. Answers with the whole message. */
export function editOwn(call: RestCall, message: Message, byDefault: DefaultParsing = 'everything') {
  const { discord, world, body, files } = call;
  const before = newest(message);
  const wasLoading = (before.flags & MessageFlags.Loading) !== 0;
  const checked = checkMessage({
    body,
    files,
    channelId: message.channelId,
    newId: world.newId,
    // A deferred answer becomes what it says only now.
    before: wasLoading ? { ...before, content: '', flags: before.flags & ~MessageFlags.Loading } : before,
    settableFlags: editableFlags,
  });
  const channel = world.channels.get(message.channelId);
  const { version, allowed } = checked;
  if (allowed === undefined && body['content'] !== undefined && version.content !== '')
    discord.journal.note('no_allowed_mentions', `edit "${version.content.slice(0, 60)}"`);
  const isSame = shownBy(before) === shownBy(version);
  if (isSame) discord.journal.note('idle_edit', version.content.slice(0, 60));
  for (const { attachment, file } of checked.uploads) world.files.set(attachment.id, file.bytes);
  if (channel !== undefined) {
    message.mentions = pingsOf(world, channel, mentionableText(version), {
      authorId: message.authorId,
      allowed,
      byDefault,
    });
    // The text that replaces "thinking …" arrives like a new message.
    if (wasLoading && message.ephemeralFor === undefined) message.pings = message.mentions;
  }
  message.versions.push({ ...version, at: world.now() });
  if (!wasLoading) message.editedAt = world.now();
  tellMessage(discord, 'MESSAGE_UPDATE', message);
  return payloadOf(discord, message);
}

const shownBy = ({ content, embeds, components, attachments, flags }: Omit<Version, 'at'>): string =>
  JSON.stringify([content, embeds, components, attachments, flags]);
