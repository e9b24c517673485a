/** A model that is shown stored pictures: their bytes take the place of their addresses just before it is asked. */
import { BlobHash } from '../domain/ids.ts';
import type { ContentPart, ModelMessage } from '../domain/message.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { Model } from '../ports/model.ts';
import { pictureIn } from './file-words.ts';

/** Pictures of one request together; older ones are only mentioned. Unit: bytes. */
const maxPicturesBytes = 20 * 1024 * 1024;

export function seeingModel(model: Model, blobs: Pick<Blobs, 'get'>): Model {
  return {
    get name() {
      return model.name;
    },
    ...(model.contextWindow !== undefined && { contextWindow: model.contextWindow }),
    async *stream(request, signal) {
      const messages = await withPictures(request.messages, blobs);
      yield* model.stream({ ...request, messages }, signal);
    },
  };
}

async function withPictures(
  messages: readonly ModelMessage[],
  blobs: Pick<Blobs, 'get'>,
): Promise<readonly ModelMessage[]> {
  if (!messages.some(hasPictures)) return messages;
  let left = maxPicturesBytes;
  const newestFirst: ModelMessage[] = [];
  for (const message of messages.toReversed()) {
    if (!hasPictures(message)) newestFirst.push(message);
    else newestFirst.push({ ...message, content: await filled(message.content) });
  }
  return newestFirst.toReversed();

  async function filled(parts: readonly ContentPart[]): Promise<ContentPart[]> {
    const out: ContentPart[] = [];
    for (const part of parts) {
      const picture = part.type === 'image' ? pictureIn(part.url) : undefined;
      out.push(picture === undefined ? part : await seen(picture.type, BlobHash(picture.hash)));
    }
    return out;
  }

  async function seen(type: string, hash: BlobHash): Promise<ContentPart> {
    if (left <= 0) return { type: 'text', text: '[An earlier picture, left out here.]' };
    const bytes = await blobs.get(hash);
    if (bytes === undefined) return { type: 'text', text: '[A picture that is not kept any more.]' };
    left -= bytes.length;
    return { type: 'image', url: `data:${type};base64,${Buffer.from(bytes).toString('base64')}` };
  }
}

type WithParts = Extract<ModelMessage, { role: 'user' }> & { readonly content: readonly ContentPart[] };

function hasPictures(message: ModelMessage): message is WithParts {
  return (
    message.role === 'user' &&
    typeof message.content !== 'string' &&
    message.content.some((part) => part.type === 'image' && pictureIn(part.url) !== undefined)
  );
}
