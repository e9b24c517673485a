/** A refused request: status and body as Discord words them. */
import { type ErrorRule, type FormRule, rules } from '../rules.ts';

export class Refusal extends Error {
  constructor(
    readonly rule: ErrorRule | FormRule,
    readonly status: number,
    readonly body: Readonly<Record<string, unknown>>,
    /** What was wrong, for the list of violations. */
    readonly why: string,
  ) {
    super(why);
  }
}

export function refusal(rule: ErrorRule, detail = ''): Refusal {
  const { status, code, says } = rules[rule];
  return new Refusal(rule, status, { message: says, code }, `${says}${detail && ` (${detail})`}`);
}

/** Collects what is wrong with the fields of one body, then refuses all of it at once. */
export class Form {
  private readonly problems: { readonly path: string; readonly rule: FormRule }[] = [];

  /** `path` with dots, positions as numbers: `components.0.components.1.custom_id`. */
  wrong(path: string, rule: FormRule): void {
    this.problems.push({ path, rule });
  }

  /** True when the field is as it should be. */
  expect(isRight: boolean, path: string, rule: FormRule): boolean {
    if (!isRight) this.wrong(path, rule);
    return isRight;
  }

  /** A text of at most the rule's `max` code points; absent is fine. */
  text(value: unknown, path: string, rule: FormRule, min = 0): void {
    if (value === undefined || value === null) return;
    if (typeof value !== 'string') return this.wrong(path, 'wrong_type');
    const { length } = [...value];
    this.expect(length >= min && length <= rules[rule].max, path, rule);
  }

  requiredText(value: unknown, path: string, rule: FormRule): void {
    if (this.expect(value !== undefined && value !== null, path, 'required')) this.text(value, path, rule, 1);
  }

  done(): void {
    const [first] = this.problems;
    if (first === undefined) return;
    const errors = {};
    for (const { path, rule } of this.problems) nest(errors, path.split('.'), rule);
    const why = this.problems.map(({ path, rule }) => `${path}: ${rules[rule].says}`).join('; ');
    throw new Refusal(first.rule, 400, { message: 'Invalid Form Body', code: 50_035, errors }, why);
  }
}

type Tree = { [key: string]: Tree | unknown[] };

function nest(tree: Tree, [key, ...rest]: readonly string[], rule: FormRule): void {
  if (key === undefined) {
    const { inner, says } = rules[rule];
    const known = tree['_errors'];
    tree['_errors'] = [...(Array.isArray(known) ? known : []), { code: inner, message: says }];
    return;
  }
  nest((tree[key] ??= {}) as Tree, rest, rule);
}
