/** What a person wrote, out of Slack's marks: `<@U1>`, `<#C1|general>`, `<https://x|label>`, `&amp;`. Pure. */

/** Without the mention of the bot; other people by name, where it is known. */
export function saidText(text: string, nameOf: (person: string) => string | undefined, bot: string): string {
  return text
    .replaceAll(/<([^<>]+)>/gu, (mark, inside: string) => {
      const [what, label] = split(inside);
      switch (what.charAt(0)) {
        case '@':
          return personIn(what.slice(1), label, nameOf, bot);
        case '#':
          return `#${label ?? what.slice(1)}`;
        case '!':
          return commandIn(what.slice(1), label);
        default:
          return linkIn(what, label) ?? mark;
      }
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/ {2,}/gu, ' ')
    .trim();
}

/** The people whom a text mentions, each once. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/gu)].map(([, id]) => id ?? ''))];
}

/** A group of people. */
export function mentionsGroup(text: string): boolean {
  return /<!subteam\^/u.test(text);
}

function split(inside: string): [string, string | undefined] {
  const at = inside.indexOf('|');
  return at < 0 ? [inside, undefined] : [inside.slice(0, at), inside.slice(at + 1)];
}

function personIn(
  id: string,
  label: string | undefined,
  nameOf: (person: string) => string | undefined,
  bot: string,
): string {
  return id === bot ? '' : `@${nameOf(id) ?? label ?? id}`;
}

/** `<!here>`, `<!subteam^S1|@tutors>`, `<!date^1392734382^{date}|February 18>` */
function commandIn(what: string, label: string | undefined): string {
  const [name = ''] = what.split('^');
  if (name === 'date') return label ?? '';
  return label === undefined
    ? `@${name === 'subteam' ? what.slice('subteam^'.length) : name}`
    : `@${label.replace(/^@/, '')}`;
}

/** The label only where it says more than the address. */
function linkIn(address: string, label: string | undefined): string | undefined {
  if (!/^(?:https?|mailto|tel):/u.test(address)) return undefined;
  const bare = address.replace(/^(?:mailto|tel):/u, '');
  const saysMore = label !== undefined && !bare.includes(label);
  return saysMore ? `${label} (${bare})` : bare;
}
