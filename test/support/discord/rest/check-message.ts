/** The body of a message, new or edited: every field as Discord checks it, files included. */
import { type APIEmbed, type APIMessageComponent, MessageFlags } from 'discord-api-types/v10';
import { rules } from '../rules.ts';
import type { Attachment, Version } from '../world/world.ts';
import { checkLayout, checkRows, type Json, withIds } from './check-components.ts';
import { type AllowedMentions, checkAllowedMentions } from './mentions.ts';
import { Form, refusal } from './refusal.ts';

export interface UploadedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Files of a request by their number in `files[n]`. */
export type UploadedFiles = ReadonlyMap<number, UploadedFile>;

export interface CheckedMessage {
  /** What the message says from now on. */
  readonly version: Omit<Version, 'at'>;
  readonly allowed: AllowedMentions | undefined;
  /** Which upload each new attachment is. */
  readonly uploads: readonly { readonly attachment: Attachment; readonly file: UploadedFile }[];
}

export interface CheckOptions {
  readonly body: Json;
  readonly files: UploadedFiles;
  readonly channelId: string;
  readonly newId: () => string;
  /** What an edit starts from: fields that are absent stay as they are. */
  readonly before?: Version;
  readonly settableFlags: number;
}

const emptyVersion: Omit<Version, 'at'> = {
  content: '',
  embeds: [],
  components: [],
  attachments: [],
  flags: 0,
};

/** Largest request. Unit: bytes. */
export const maxRequestBytes = 25 * 1_024 * 1_024;

export function checkMessage(options: CheckOptions): CheckedMessage {
  const { body, files, before } = options;
  const old = before ?? emptyVersion;
  const form = new Form();
  form.text(body['content'], 'content', 'content_length');
  for (const unsupported of ['poll', 'sticker_ids'])
    form.expect((body[unsupported] ?? undefined) === undefined, unsupported, 'voice_or_poll');
  const flags = checkFlags(body['flags'], old.flags, options.settableFlags, form);
  const isLayout = (flags & MessageFlags.IsComponentsV2) !== 0;
  const content = body['content'] === undefined ? old.content : trimmed(body['content']);
  const embeds = body['embeds'] === undefined ? old.embeds : checkEmbeds(body['embeds'], form);
  const given = body['components'];
  if (isLayout) {
    form.expect(content === '' && embeds.length === 0, 'content', 'v2_alone');
    if (given !== undefined) checkLayout(given, form);
  } else checkRows(given, form);
  const components = given === undefined ? old.components : withIds((given ?? []) as APIMessageComponent[]);
  const allowed = checkAllowedMentions(body['allowed_mentions'], form);
  const { attachments, uploads } = checkFiles(options, old.attachments, form);
  form.done();
  for (const { file } of uploads)
    if (file.bytes.length > rules.file_size.max) throw refusal('file_size', file.filename);
  const isEmpty =
    content.trim() === '' &&
    embeds.length === 0 &&
    attachments.length === 0 &&
    components.length === 0 &&
    files.size === 0;
  if (isEmpty) throw refusal('empty_message');
  return { version: { content, embeds, components, attachments, flags }, allowed, uploads };
}

/** Discord takes white space off both ends. */
const trimmed = (content: unknown): string => (typeof content === 'string' ? content.trim() : '');

function checkFlags(value: unknown, before: number, settable: number, form: Form): number {
  if (value === undefined || value === null) return before;
  if (!form.expect(Number.isInteger(value), 'flags', 'wrong_type')) return before;
  const flags = Number(value);
  form.expect((flags & MessageFlags.IsVoiceMessage) === 0, 'flags', 'voice_or_poll');
  form.expect((flags & ~settable & ~before) === 0, 'flags', 'settable_flags');
  const losesLayout = (before & ~flags & MessageFlags.IsComponentsV2) !== 0;
  form.expect(!losesLayout, 'flags', 'v2_flag_stays');
  return flags;
}

const sizeOf = (text: unknown): number => (typeof text === 'string' ? [...text].length : 0);

function checkEmbeds(value: unknown, form: Form): APIEmbed[] {
  const embeds = (value ?? []) as APIEmbed[];
  if (!form.expect(Array.isArray(embeds), 'embeds', 'wrong_type')) return [];
  form.expect(embeds.length <= rules.embed_count.max, 'embeds', 'embed_count');
  let total = 0;
  embeds.forEach(({ title, description, fields = [], footer, author }, position) => {
    const path = `embeds.${position}`;
    form.text(title, `${path}.title`, 'embed_title');
    form.text(description, `${path}.description`, 'embed_description');
    form.text(footer?.text, `${path}.footer.text`, 'embed_footer');
    form.text(author?.name, `${path}.author.name`, 'embed_author');
    form.expect(fields.length <= rules.embed_fields.max, `${path}.fields`, 'embed_fields');
    fields.forEach(({ name, value: text }, index) => {
      form.requiredText(name, `${path}.fields.${index}.name`, 'embed_field_name');
      form.requiredText(text, `${path}.fields.${index}.value`, 'embed_field_value');
      total += sizeOf(name) + sizeOf(text);
    });
    total += sizeOf(title) + sizeOf(description) + sizeOf(footer?.text) + sizeOf(author?.name);
  });
  form.expect(total <= rules.embed_total.max, 'embeds', 'embed_total');
  return embeds.map((embed) => ({ ...embed, type: embed.type ?? 'rich' }) as APIEmbed);
}

/** Files that are kept by id, and new ones that `attachments` names by their number. */
function checkFiles({ body, files, channelId, newId }: CheckOptions, old: readonly Attachment[], form: Form) {
  const listed = body['attachments'] as readonly Json[] | null | undefined;
  const kept: Attachment[] = listed === undefined ? [...old] : [];
  const described = new Map<number, Json>();
  (listed ?? []).forEach((each, position) => {
    form.text(each['description'], `attachments.${position}.description`, 'file_description');
    const known = old.find(({ id }) => id === String(each['id']));
    const isUpload = files.has(Number(each['id']));
    if (known !== undefined) kept.push(known);
    else if (form.expect(isUpload, `attachments.${position}.id`, 'file_unknown'))
      described.set(Number(each['id']), each);
  });
  const uploads = [...files].map(([number, file]) => {
    const { description, filename = file.filename } = described.get(number) ?? {};
    const attachment: Attachment = {
      id: newId(),
      channelId,
      filename: String(filename),
      size: file.bytes.length,
      contentType: file.contentType,
      ...(typeof description === 'string' && { description }),
    };
    return { attachment, file };
  });
  const attachments = [...kept, ...uploads.map(({ attachment }) => attachment)];
  form.expect(attachments.length <= rules.file_count.max, 'attachments', 'file_count');
  return { attachments, uploads };
}
