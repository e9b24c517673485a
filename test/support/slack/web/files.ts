/** Files: looking one up, and the three steps in which one is given. */
import { tellMessage } from '../events/tell.ts';
import { filePayload } from '../world/payloads.ts';
import type { Json } from '../world/world.ts';
import { threadOf, writableChannel } from './find.ts';
import { isObject, listOf, type Methods, textOf } from './method.ts';
import { refusal } from './refusal.ts';

export const fileMethods: Methods = {
  'files.getUploadURLExternal': {
    token: 'bot',
    scope: 'files:write',
    rate: 'tier_4',
    needs: ['filename', 'length'],
    takes: ['filename', 'length', 'alt_txt', 'snippet_type'],
    handle({ slack, team, args }) {
      const size = Number(args['length']);
      if (!Number.isInteger(size) || size <= 0) throw refusal('invalid_arguments', 'length');
      const { world } = slack;
      const id = world.newId('F');
      const name = textOf(args['filename']);
      world.files.set(id, {
        id,
        teamId: team.id,
        name,
        title: name,
        mimetype: 'application/octet-stream',
        userId: team.botUserId,
        bytes: Buffer.alloc(0),
        size,
        isUploaded: false,
        isShared: false,
      });
      return { upload_url: `${slack.url}/upload/v1/${id}`, file_id: id };
    },
  },
  'files.completeUploadExternal': {
    token: 'bot',
    scope: 'files:write',
    rate: 'tier_4',
    needs: ['files'],
    takes: ['files', 'channel_id', 'thread_ts', 'initial_comment', 'blocks', 'channels'],
    handle(call) {
      const { slack, team, args } = call;
      const { world } = slack;
      const given = listOf(args['files']).filter(isObject);
      const files = given.map((each) => {
        const file = world.files.get(textOf(each['id']));
        if (file === undefined || file.isShared) throw refusal('file_not_found', textOf(each['id']));
        if (!file.isUploaded) throw refusal('file_not_uploaded', file.name);
        return Object.assign(file, each['title'] !== undefined && { title: textOf(each['title']) });
      });
      if (files.length === 0) throw refusal('invalid_arguments', 'files');
      const answer: Json = { files: files.map((file) => filePayload(slack.fileUrl, file)) };
      if (args['channel_id'] === undefined) return answer;
      const inChannel = { ...call, args: { ...args, channel: args['channel_id'] } };
      const channel = writableChannel(inChannel);
      const thread = threadOf(inChannel, channel);
      for (const file of files) file.isShared = true;
      // The message comes a moment later, and only as an event.
      slack.runtime.later(slack.shareDelayMs, () => {
        const message = world.addMessage(
          {
            channelId: channel.id,
            teamId: team.id,
            userId: team.botUserId,
            botId: team.botId,
            subtype: 'file_share',
            files: files.map(({ id }) => id),
            ...(thread !== undefined && { threadTs: thread }),
          },
          { text: textOf(args['initial_comment']), blocks: [] },
        );
        tellMessage(slack, message);
      });
      return answer;
    },
  },
  'files.info': {
    token: 'bot',
    scope: 'files:read',
    rate: 'tier_4',
    needs: ['file'],
    takes: ['file'],
    handle({ slack, args }) {
      const file = slack.world.files.get(textOf(args['file']));
      if (file === undefined) throw refusal('file_not_found', textOf(args['file']));
      return { file: filePayload(slack.fileUrl, file) };
    },
  },
};
