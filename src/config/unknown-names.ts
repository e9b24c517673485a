/** Names that look like settings of ours and are not: a warning each, because a misspelt setting is silently unset. */
import { laterSettings, settings } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const ours = new Set<string>(settings.map(({ name }) => name));
const later = new Set(laterSettings);

const prefixes =
  /^(?:OPENAI|MODEL|LOOP|DOCENT|DISCORD|SLACK|QUOTA|ALLOW|DENY|RETENTION|CATCH_UP|FOLLOW_ALL|MAX_BLOB)_/;
/** Read by the OpenAI library or by other OpenAI tools; not ours to judge. */
const foreign =
  /^OPENAI_(?:ORG_ID|ORGANIZATION|PROJECT|PROJECT_ID|LOG|API_TYPE|API_VERSION|ADMIN_KEY|WEBHOOK_SECRET)$/;
/** What older OpenAI tools call the address; its spelling is nearer to OPENAI_API_KEY. */
const OLD_BASE_URL = 'OPENAI_API_BASE';

export function unknownNames(env: Environment, file: Environment): string[] {
  const names = new Set([...Object.keys(env), ...Object.keys(file)]);
  return [...names].flatMap((name) => {
    if (ours.has(name) || foreign.test(name)) return [];
    if (later.has(name)) return [`${name} is set, but not used by this version.`];
    const isMeant = prefixes.test(name) || isSlip(name);
    return isMeant ? [`${name} is no setting of Docent. ${nearest(name)}`] : [];
  });
}

/** One letter away from a setting without a prefix of ours, such as PORTT. Short names differ by chance. */
function isSlip(name: string): boolean {
  return name.length >= 5 && [...ours].some((each) => editDistance(name, each) === 1);
}

function nearest(name: string): string {
  if (name === OLD_BASE_URL) return 'Did you mean OPENAI_BASE_URL?';
  const known = [...ours, ...later];
  const closest = known
    .map((each) => ({ name: each, edits: distance(name, each) }))
    .reduce((best, each) => (each.edits < best.edits ? each : best));
  return closest.edits <= name.length / 2
    ? `Did you mean ${closest.name}?`
    : 'The names of all settings: docent --help.';
}

/** The same words in another order are near. */
function distance(from: string, to: string): number {
  return Math.min(editDistance(from, to), 1 + editDistance(wordsOf(from), wordsOf(to)));
}

function wordsOf(name: string): string {
  return name.split('_').toSorted().join('_');
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
