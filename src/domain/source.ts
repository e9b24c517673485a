/** What an answer rests on: a page of the web, a passage of the course. */
export interface Source {
  readonly title: string;
  /** http or https. */
  readonly url?: string;
  /** What is said there. */
  readonly quote?: string;
}

/** Each once, in the order in which they were found. */
export function distinctSources(sources: readonly Source[]): readonly Source[] {
  const byPlace = new Map<string, Source>();
  for (const source of sources) {
    const place = `${source.url ?? source.title}\n${source.quote ?? ''}`;
    if (!byPlace.has(place)) byPlace.set(place, source);
  }
  return [...byPlace.values()];
}
