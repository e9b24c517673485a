/** Secrets in text that is about to be shown or logged. Known shapes only: what holds a secret by name is its owner's duty. */

const MASK = '[secret]';

const shapes: readonly RegExp[] = [
  /\bsk-[\w-]{12,}/g, // OpenAI and compatible services
  /\bx(?:ox[a-z]|app)-[\w-]{8,}/g, // Slack
  /\b(?:gh[opsru]_|github_pat_)\w{16,}/g, // GitHub
  /\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/g, // Discord bot tokens
  /(?<=\bBearer\s{1,4})[\w.~+/=-]{8,}/gi,
  /(?<=:\/\/)[^\s/@]{1,200}(?=@)/g, // user:password in an address
];

/** `text` with every known shape of a secret replaced. */
export function maskSecrets(text: string): string {
  return shapes.reduce((masked, shape) => masked.replaceAll(shape, MASK), text);
}
