/** What a message of the learner wants from us. */
import { isCannot } from '../../maths/cannot.ts';
import { evaluate } from '../../maths/evaluate.ts';
import { type Finding, findMaths } from '../../maths/find.ts';
import { isLookalike } from '../../maths/lookalikes.ts';
import { type ParseOptions, parseExpression } from '../../maths/parse.ts';
import { fractionText } from '../../maths/rational.ts';

export type Topic = 'equation' | 'sum' | 'fraction' | 'percent';

export type Task =
  | { readonly kind: 'sum'; readonly text: string; readonly options?: ParseOptions }
  | { readonly kind: 'equation'; readonly text: string; readonly letter?: string }
  /** `12 × 7 = 84`: is it so? */
  | { readonly kind: 'claim'; readonly left: string; readonly right: string }
  | { readonly kind: 'exercise'; readonly topic?: Topic }
  /** Wants to practise, without saying what. */
  | { readonly kind: 'practise' }
  /** "Solve it", with nothing to solve in the message. */
  | { readonly kind: 'solve_it' }
  /** An exercise like what was just worked. */
  | { readonly kind: 'like_that' }
  | { readonly kind: 'hint' | 'give_up' | 'next' }
  /** Something that answers the open exercise. */
  | { readonly kind: 'attempt'; readonly text: string }
  | { readonly kind: 'other' };

/** More tasks in one message than this are not taken on. */
const MAX_TASKS = 3;

/** The tasks in a message, at least one; what cannot be understood is one of kind `other`. */
export function tasksIn(text: string): readonly Task[] {
  const maths = mathsIn(text);
  if (maths.length > 0) return maths;
  return [wishIn(text) ?? { kind: 'other' }];
}

function mathsIn(text: string): readonly Task[] {
  const found = findMaths(text).found.filter((each) => !isLookalike(each.text, true));
  const relations = found.filter((each) => each.kind === 'inequality' || isEquation(each));
  // Several equations belong together: that they are a system is for the solver to say.
  if (relations.length > 1)
    return [{ kind: 'equation', text: relations.map((each) => each.text).join('; ') }];
  const sums = distinct(found.filter((each) => each.kind === 'sum'));
  const [relation] = relations;
  if (relation) return [{ kind: 'equation', text: relation.text }, ...sums.slice(0, MAX_TASKS - 1)];
  if (sums.length > 0) return sums.slice(0, MAX_TASKS);
  const claims = found.filter((each) => each.kind === 'equation').map((each) => claimIn(each.text));
  if (claims.length > 0) return claims.slice(0, MAX_TASKS);
  return found.slice(0, 1).map((each) => ({ kind: 'sum', text: each.text }));
}

function isEquation(finding: Finding): boolean {
  return finding.kind === 'equation' && /[a-z]/i.test(finding.text.replace(/sqrt|of|von/gi, ''));
}

/** A result that is quoted after its sum, such as 11/12, looks like a sum itself; it has the same value. */
function distinct(sums: readonly Finding[]): readonly Task[] {
  const values = new Set<string>();
  return sums.flatMap(({ text }): readonly Task[] => {
    const parsed = parseExpression(text);
    const value = isCannot(parsed) ? parsed : evaluate(parsed.expression);
    const key = isCannot(value) ? text : fractionText(value);
    if (values.has(key)) return [];
    values.add(key);
    return [{ kind: 'sum', text }];
  });
}

function claimIn(text: string): Task {
  const [left = '', right = '', ...more] = text.split('=');
  return more.length > 0
    ? { kind: 'equation', text }
    : { kind: 'claim', left: left.trim(), right: right.trim() };
}

const topics: readonly (readonly [Topic, RegExp])[] = [
  ['equation', /equation|algebra|gleichung|方程/i],
  ['fraction', /fraction|brüche|bruchrechn|\bbruch\b|分数/i],
  ['percent', /percent|prozent|百分/i],
  ['sum', /\bsums?\b|arithmetic|calculat|number|rechn|算术|计算|算式|口算|加减|乘除/i],
];

/** The kind of exercise named in a text. */
export function topicIn(text: string): Topic | undefined {
  return topics.find(([, pattern]) => pattern.test(text))?.[0];
}

const wishes: readonly (readonly [
  'hint' | 'give_up' | 'next' | 'solve_it' | 'practise' | 'exercise' | 'like_that',
  RegExp,
])[] = [
  [
    'like_that',
    /\b(?:quiz|test|ask) me (?:on|about) (?:it|this|that)\b|\b(?:one|exercise|another) like (?:it|this|that)\b|(?:frag|prüf|test)e? mich (?:darüber|dazu|damit|das ab)\b|noch so eine\b|类似的|同样的题|就这[个道]?考/i,
  ],
  [
    'give_up',
    /\b(?:i )?give up\b|\b(?:the |show (?:me )?(?:the )?)?solution\b|show me (?:how|the (?:way|answer))|\bi don'?t know\b|ich gebe? auf|lösung|weiß (?:ich |es )?nicht|keine ahnung|我?放弃|答案|不会|不知道|解法/i,
  ],
  ['hint', /\bhint\b|\bhelp me with (?:it|this|that)\b|\bstuck\b|\btipp?s?\b|hinweis|提示|卡住/i],
  [
    'next',
    /\bnext\b|\banother\b|\bone more\b|^again\W*$|noch (?:eine|mal)|nächste|\bweiter\b|下一[题道个]|再来|再出/i,
  ],
  [
    'solve_it',
    /\b(?:solve|calculate|compute|work out|do) (?:it|this|that)\b|^\W*solve\W*$|(?:löse?|rechne?|berechne?) (?:es|das|die|sie)\b|^\W*(?:löse|rechne)\W*$|解(?:一下|出来|它|这[个道])|算(?:一下|出来|它)|^[请帮我]*解(?:方程)?[吧。！]?$/i,
  ],
  [
    'exercise',
    /\b(?:quiz|test|challenge|ask) me\b|\bquiz\b|\b(?:an?|some|another) (?:\w+ )?(?:exercises?|problems?|tasks?|equations?|sums?)\b|\bexercises?\b|frag(?:e)? mich|\bprüf(?:e)? mich|teste? mich|gib mir|stell(?:e)? mir|aufgabe|考[考我]|出[一几]?[道个]?.{0,4}题|来[一几]?[道个].{0,4}题|给我.{0,6}题/i,
  ],
  ['practise', /practi[cs]e|\btrain(?:ing)?\b|exercise|\büb(?:en|e|ung(?:en)?)\b|练习|练一?练|复习/i],
];

/** Longer messages are stories, and a telling word in them tells little. Unit: characters. */
const MAX_WISH_CHARS = 200;

function wishIn(text: string): Task | undefined {
  if (text.length > MAX_WISH_CHARS) return undefined;
  const wish = wishes.find(([, pattern]) => pattern.test(text))?.[0];
  const topic = topicIn(text);
  if (wish === undefined) return undefined;
  if (wish === 'exercise' || (wish === 'practise' && topic !== undefined)) {
    return { kind: 'exercise', ...(topic !== undefined && { topic }) };
  }
  return { kind: wish };
}
