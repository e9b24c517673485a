/** Every job kind: its queue, its payload, how often it is tried. Adding a kind starts here. */
import { z } from 'zod';
import { CallId, ConversationId, EventId, UserId } from '../domain/ids.ts';

/** BullMQ's keys share one slot of a cluster. */
export const queuePrefix = '{docent}';

const conversation = z.string().min(1).transform(ConversationId);

export const jobs = {
  /** A conversation has something to do. */
  turn: { queue: 'turns', payload: z.object({ conversation }) },
  /** An open question has waited long enough. */
  pause: {
    queue: 'pauses',
    payload: z.object({
      conversation,
      callId: z.string().min(1).transform(CallId),
      /** Absent: it lapses now. Else the asker is reminded now, and it lapses then. Unit: milliseconds since 1970. */
      lapsesAt: z.number().optional(),
    }),
  },
  /** A file that came with a message is to be fetched. */
  file: {
    queue: 'files',
    payload: z.object({
      conversation,
      message: z.string().min(1).transform(EventId),
      surface: z.string(),
      owner: z.string().min(1).transform(UserId).exactOptional(),
      file: z.object({
        id: z.string(),
        name: z.string(),
        bytes: z.number().exactOptional(),
        type: z.string().exactOptional(),
        source: z.string(),
      }),
    }),
  },
  /** A reminder may be due: its record says whether it is. */
  reminder: {
    queue: 'reminders',
    payload: z.object({
      owner: z.string().min(1).transform(UserId),
      id: z.string().min(1),
      dueAt: z.number().int(),
    }),
  },
} as const;

export type JobKind = keyof typeof jobs;
export type JobPayload<Kind extends JobKind> = z.output<(typeof jobs)[Kind]['payload']>;
