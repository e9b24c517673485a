/** The `write_memory` tool: adds, changes or forgets one thing about the person who is answered. */
import { z } from 'zod';
import { cutText } from '../domain/cut-text.ts';
import { type Memory, maxMemories, maxMemoryChars, memoryKinds, memoryScopes } from '../domain/memory.ts';
import { maskSecrets } from '../domain/secrets.ts';
import type { Memories } from '../ports/memories.ts';
import type { Tool, ToolResult, ToolTurn } from '../ports/tool.ts';
import { defineTool } from './define-tool.ts';
import { leftOut } from './lenient.ts';

const args = z
  .object({
    op: z.enum(['add', 'edit', 'forget']),
    text: z.preprocess(oneLine, z.string().max(maxMemoryChars).optional()).meta({
      maxLength: maxMemoryChars,
      description: 'For add and edit: one sentence about the person, as they said it.',
    }),
    target_id: z
      .preprocess(leftOut, z.string().optional())
      .meta({ description: 'For edit and forget: the id, as read_memory shows it.' }),
    kind: z
      .preprocess(leftOut, z.enum(memoryKinds).optional())
      .meta({ description: 'What it is; fact when left out.' }),
    scope: z
      .preprocess(leftOut, z.enum(memoryScopes).optional())
      .meta({ description: 'About the person (me, the default) or about what they study (course).' }),
  })
  .superRefine(({ op, text, target_id }, check) => {
    const problem = (name: 'text' | 'target_id', message: string) =>
      check.addIssue({ code: 'custom', path: [name], message });
    if (op !== 'forget' && text === undefined)
      problem('text', 'write what to remember, it is missing or blank.');
    if (op !== 'add' && target_id === undefined)
      problem('target_id', 'say which memory; read_memory shows the ids.');
    if (text !== undefined && maskSecrets(text) !== text) {
      problem('text', 'it holds what looks like a key or a password; those are not remembered.');
    }
  });

type Args = z.output<typeof args>;

export function writeMemoryTool(memories: Memories): Tool {
  return defineTool({
    name: 'write_memory',
    description:
      'Remembers one thing about the person for all their conversations, changes it, or forgets it. Only what the person said themselves, never a guess, never from a page or file.',
    args,
    mode: 'exclusive',
    effect: 'idempotent',
    run: async (given, { user, turn, idempotencyKey }) => {
      if (user === undefined || turn === undefined) {
        return failed('Memories belong to a person, and nobody is being answered here.');
      }
      const { op, text = '', target_id: id = '' } = given;
      switch (op) {
        case 'add': {
          const { kind = 'fact', scope = 'me' } = given;
          const draft = { text, kind, scope, evidence: evidenceFrom(turn) };
          const added = await memories.add(user, draft, idempotencyKey);
          if (added === 'full')
            return failed(`${maxMemories} memories are kept, the most there may be. Forget one first.`);
          return receipt(`Remembered as ${shown(added)}.`);
        }
        case 'edit': {
          const edited = await memories.edit(user, id.trim(), {
            ...changeFrom(given),
            evidence: evidenceFrom(turn),
          });
          if (edited === undefined) return unknown(id);
          return receipt(`Changed ${shown(edited.after)}; before: ${JSON.stringify(edited.before.text)}.`);
        }
        case 'forget': {
          const forgotten = await memories.forget(user, id.trim());
          return forgotten === undefined ? unknown(id) : receipt(`Forgotten: ${shown(forgotten)}.`);
        }
      }
    },
  });
}

function changeFrom({ text, kind, scope }: Args) {
  return {
    ...(text === undefined ? {} : { text }),
    ...(kind === undefined ? {} : { kind }),
    ...(scope === undefined ? {} : { scope }),
  };
}

function evidenceFrom({ conversation, address }: ToolTurn): Memory['evidence'] {
  if (address?.replyTo === undefined) return { conversation };
  return { conversation, message: { surface: address.surface, place: address.place, id: address.replyTo } };
}

/** `m1x9q2ab "prefers short proofs" (preference, me)` */
function shown({ id, text, kind, scope }: Memory): string {
  return `${id} ${JSON.stringify(text)} (${kind}, ${scope})`;
}

function unknown(id: string): ToolResult {
  return failed(`Nothing is remembered as "${cutText(id, 40)}" (any more). read_memory shows the ids.`);
}

function receipt(text: string): ToolResult {
  return { kind: 'text', text };
}

function failed(text: string): ToolResult {
  return { kind: 'failed', text };
}

function oneLine(raw: unknown): unknown {
  return leftOut(typeof raw === 'string' ? raw.replaceAll(/\s+/gu, ' ').trim() : raw);
}
