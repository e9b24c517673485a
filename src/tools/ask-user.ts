/**
 * The `ask_user` tool: a question card from what the model wrote. Lenient where the meaning is plain (an option given
 * as text, a text that is too long); refused, with the reason, where it is not.
 */
import { z } from 'zod';
import { cutText } from '../domain/cut-text.ts';
import type { Answer, Answers, Question, QuestionCard, QuestionOption } from '../domain/question.ts';
import type { Tool } from '../ports/tool.ts';
import { defineTool } from './define-tool.ts';

const MAX_QUESTIONS = 4;
const MAX_OPTIONS = 8;
const MAX_CUT_NAMES = 8;
const MIN_EXPIRES_S = 10;
const DEFAULT_EXPIRES_S = 14 * 24 * 3600;
/** The default retention of a conversation: a card cannot outlive the turn that waits for it. */
const MAX_EXPIRES_S = 180 * 24 * 3600;
const chars = {
  prompt: 800,
  header: 16,
  label: 120,
  description: 200,
  placeholder: 120,
  intro: 400,
  id: 40,
  cutName: 60,
};

// Lengths and counts are published but not enforced: what is too much is cut when the card is made.
const optionalText = (maxLength: number, description: string) =>
  z.preprocess(asText, z.string().optional()).meta({ maxLength, description });

const option = z.preprocess(
  (raw) => (typeof raw === 'string' || typeof raw === 'number' ? { label: raw } : raw),
  z.object({
    label: z
      .preprocess(asText, z.string())
      .meta({ maxLength: chars.label, description: 'What the person chooses.' }),
    description: optionalText(chars.description, 'One line more about it.'),
  }),
);

const question = z.preprocess(
  (raw) => (typeof raw === 'string' ? { prompt: raw } : raw),
  z.object({
    prompt: z
      .preprocess(
        asText,
        z.string().refine((text) => text.trim() !== '', 'write the question, it is blank.'),
      )
      .meta({ maxLength: chars.prompt, description: 'The question.' }),
    header: optionalText(chars.header, 'A word or two above it.'),
    options: z
      .preprocess(absent, z.array(option).optional())
      .meta({ maxItems: MAX_OPTIONS, description: 'Choices. Leave out "other": free text covers it.' }),
    multi_select: z
      .preprocess(asFlag, z.boolean().default(false))
      .meta({ description: 'May several be chosen? Default: no.' }),
    allow_free_text: z
      .preprocess(asFlag, z.boolean().default(true))
      .meta({ description: 'May the person write something else? Default: yes.' }),
    placeholder: optionalText(chars.placeholder, 'A hint in the empty text field.'),
    id: optionalText(chars.id, 'Name of this question in the result; q1, q2 … when left out.'),
  }),
);

const args = z.object({
  questions: z
    .preprocess(
      (raw) => (Array.isArray(raw) || absent(raw) === undefined ? raw : [raw]),
      z.array(question).min(1),
    )
    .meta({ maxItems: MAX_QUESTIONS, description: 'One to four questions, asked on one card.' }),
  intro: optionalText(chars.intro, 'A sentence before the questions.'),
  answerers: z
    .preprocess(absent, z.enum(['asker', 'anyone']).default('asker'))
    .meta({ description: 'Who may answer: the person who asked (default), or anyone here.' }),
  expires_in: z
    .preprocess(asNumber, z.number().default(DEFAULT_EXPIRES_S))
    .meta({ minimum: MIN_EXPIRES_S, description: 'Seconds until the question lapses. Default: 14 days.' }),
});

type Args = z.output<typeof args>;
type RawQuestion = Args['questions'][number];

export const askUser: Tool = defineTool({
  name: 'ask_user',
  description:
    'Asks the person and waits for the answer; the turn goes on with it. Ask only what you need and cannot find out: one card per reply.',
  args,
  mode: 'exclusive',
  effect: 'none',
  timeoutMs: 5_000,
  isQuestion: true,
  run: async (given) => ({ kind: 'pause', question: cardFrom(given) }),
});

/** The result of the call once the person has answered. The model is told what did not fit on the card. */
export function answersText(card: QuestionCard, answers: Answers): string {
  return JSON.stringify(card.cut.length === 0 ? answers : { ...answers, not_shown: card.cut });
}

const written = z.object({
  answers: z.array(
    z.object({
      id: z.string(),
      selected: z.array(z.string()),
      text: z.string(),
      status: z.enum(['answered', 'skipped']),
    }),
  ),
});

/** The answers in a result that `answersText` wrote; none in any other text. */
export function answersIn(result: string): readonly Answer[] {
  try {
    return written.parse(JSON.parse(result)).answers;
  } catch {
    return []; // the card then says that it is closed, and not how
  }
}

function cardFrom(given: Args): QuestionCard {
  const intro = clean(given.intro, chars.intro);
  const ids = new Set<string>();
  const shown = given.questions.slice(0, MAX_QUESTIONS);
  return {
    ...(intro === '' ? {} : { intro }),
    questions: shown.map((each, at) =>
      questionFrom(each, ownId(oneLine(each.id, chars.id) || `q${at + 1}`, ids)),
    ),
    answerers: given.answerers,
    expiresInS: Math.min(MAX_EXPIRES_S, Math.max(MIN_EXPIRES_S, Math.round(given.expires_in))),
    cut: named([
      ...shown.flatMap(cutOptions),
      ...given.questions.slice(MAX_QUESTIONS).map(({ prompt }) => prompt),
    ]),
  };
}

function questionFrom(raw: RawQuestion, id: string): Question {
  const options = optionsFrom(raw).slice(0, MAX_OPTIONS);
  const header = oneLine(raw.header, chars.header);
  const placeholder = oneLine(raw.placeholder, chars.placeholder);
  return {
    id,
    prompt: clean(raw.prompt, chars.prompt),
    ...(header === '' ? {} : { header }),
    options,
    multiSelect: raw.multi_select,
    // Without options, text is the only way to answer at all.
    allowFreeText: options.length === 0 || raw.allow_free_text,
    ...(placeholder === '' ? {} : { placeholder }),
  };
}

/** Blank and repeated labels are dropped; so is "other" where free text says the same. */
function optionsFrom(raw: RawQuestion): QuestionOption[] {
  const options = new Map<string, QuestionOption>();
  for (const each of raw.options ?? []) {
    const label = oneLine(each.label, chars.label);
    const key = label.toLowerCase();
    if (label === '' || options.has(key) || (raw.allow_free_text && isOther(label))) continue;
    const description = oneLine(each.description, chars.description);
    options.set(key, description === '' ? { label } : { label, description });
  }
  return [...options.values()];
}

function cutOptions(raw: RawQuestion): string[] {
  return optionsFrom(raw)
    .slice(MAX_OPTIONS)
    .map(({ label }) => label);
}

function named(names: readonly string[]): string[] {
  const listed = names.slice(0, MAX_CUT_NAMES).map((name) => oneLine(name, chars.cutName));
  return names.length > MAX_CUT_NAMES ? [...listed, `and ${names.length - MAX_CUT_NAMES} more`] : listed;
}

/** `wanted`, or with the first number that makes it differ from those before. */
function ownId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n += 1) id = `${wanted}_${n}`;
  taken.add(id);
  return id;
}

function isOther(label: string): boolean {
  return ['other', '其他', '其它'].includes(label.toLowerCase().replaceAll(/[\s….:：]/gu, ''));
}

function clean(text: string | undefined, maxChars: number): string {
  return cutText((text ?? '').trim(), maxChars);
}

function oneLine(text: string | undefined, maxChars: number): string {
  return clean(text?.replaceAll(/\s+/gu, ' '), maxChars);
}

function absent(raw: unknown): unknown {
  return raw === null ? undefined : raw;
}

function asText(raw: unknown): unknown {
  return typeof raw === 'number' ? String(raw) : absent(raw);
}

function asFlag(raw: unknown): unknown {
  if (raw === 'true' || raw === 'false') return raw === 'true';
  return absent(raw);
}

function asNumber(raw: unknown): unknown {
  return typeof raw === 'string' && /^\d+$/.test(raw.trim()) ? Number(raw) : absent(raw);
}
