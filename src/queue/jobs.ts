/** Every job kind: its queue, its payload, how often it is tried. Adding a kind starts here. */
import { z } from 'zod';
import { CallId, ConversationId } from '../domain/ids.ts';

/** BullMQ's keys share one slot of a cluster. */
export const queuePrefix = '{docent}';

const conversation = z.string().min(1).transform(ConversationId);

export const jobs = {
  /** A conversation has something to do. */
  turn: { queue: 'turns', payload: z.object({ conversation }) },
  /** An open question has waited long enough. */
  pause: {
    queue: 'pauses',
    payload: z.object({ conversation, callId: z.string().min(1).transform(CallId) }),
  },
} as const;

export type JobKind = keyof typeof jobs;
export type JobPayload<Kind extends JobKind> = z.output<(typeof jobs)[Kind]['payload']>;
