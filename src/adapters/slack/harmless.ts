/**
 * Text in which nothing notifies anybody. In mrkdwn `<` is escaped; Markdown knows no escape that Slack is sure to respect,
 * so there an invisible character stands behind the `<` of what could be a mention.
 */

export const apart = '\u200b';

/** Of a channel, of everybody, of a user group, of a person: in code, too, since Slack may look there. */
const mention = /<(?=@[A-Z]|!(?:channel|here|everyone|group|subteam))/gi;
/** What could become one when Slack reads escapes and entities first. */
const nearMention = /(?:<|&(?:lt|#0*60|#x0*3c);)(?=[@!\\&])/gi;
/** The beginning of one, at the end of a text that grows. */
const half =
  /(?:<(?:@|!(?:c(?:h(?:a(?:n(?:n(?:e)?)?)?)?)?|h(?:e(?:r)?)?|e(?:v(?:e(?:r(?:y(?:o(?:n)?)?)?)?)?)?|g(?:r(?:o(?:u)?)?)?|s(?:u(?:b(?:t(?:e(?:a)?)?)?)?)?)?)?|&[#\w]{0,8};?)$/i;

/** Where a mention would take effect; code of any other kind stays as it is. */
export function withoutMentions(text: string): string {
  return text.replaceAll(mention, `<${apart}`);
}

/** Outside of code. */
export function withoutNearMentions(text: string): string {
  return withoutMentions(text).replaceAll(nearMention, (found) => `${found}${apart}`);
}

/** How much of a text may be shown while more is to come. */
export function safeLength(text: string): number {
  return half.exec(text)?.index ?? text.length;
}

/** As it stands in mrkdwn: shown as it is, whatever it says. */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
