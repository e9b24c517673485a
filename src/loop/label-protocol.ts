/** A label protocol: the words a reply may begin with, and what each kind of word does. */
export interface LabelProtocol {
  readonly allowed: readonly string[];
  /** Ends the turn. */
  readonly terminal: readonly string[];
  /** Kept as context; the turn goes on. */
  readonly intermediate: readonly string[];
  /** Its text belongs to the answer. Independent of the two above. */
  readonly final: readonly string[];
  /** Means that tools are called; null when this loop has none. */
  readonly tool: string | null;
  /**
   * Models that call tools natively often send no text with the calls. With this set, a reply with calls and no
   * visible text is read as this label instead of being repaired.
   */
  readonly blankCallsAre?: string;
}

/** Checks that every class uses allowed words only and that something can end the turn. Throws on the first mistake. */
export function labelProtocol(protocol: LabelProtocol): LabelProtocol {
  const { allowed, terminal, intermediate, final, tool, blankCallsAre } = protocol;
  const used = [
    ...terminal,
    ...intermediate,
    ...final,
    ...(tool === null ? [] : [tool]),
    ...(blankCallsAre ? [blankCallsAre] : []),
  ];
  for (const label of used) {
    if (!allowed.includes(label)) throw new Error(`label protocol: ${label} is used but not in allowed`);
  }
  if (terminal.length === 0) throw new Error('label protocol: no terminal label, so no turn could ever end');
  return protocol;
}

/** How a label is written in prompts and in the journal: alone on its line, in double backticks. */
export function writeLabel(label: string): string {
  return `\`\`${label}\`\``;
}
