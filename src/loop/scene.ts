/**
 * Scenes: sure cases that are recognised before the loop, without a model call. The service prepares the data, the
 * first model call carries no tools. When anything is missing the free loop runs as if nothing had been tried.
 */

/** A kind of message that can be prepared. Pure but for `prepare`. */
export interface Scene {
  readonly name: string;
  /** How sure this scene is of the text (0 to 1), and the words that made it so. */
  match(text: string): { readonly confidence: number; readonly words: readonly string[] };
  /** Fetches the data; undefined when there is none. */
  prepare(text: string, signal: AbortSignal): Promise<string | undefined>;
  /** The person's message in this scene's own words, with the data. */
  template(text: string, data: string): string;
}

export interface RoutedScene {
  readonly scene: Scene;
  readonly confidence: number;
  readonly words: readonly string[];
  /** Other scenes that were exactly as sure; the first declared won. */
  readonly ties: readonly string[];
}

/** A scene qualifies at this confidence and above. */
export const sceneThreshold = 0.3;
/** The scene that means "none": it never takes the prepared path, however sure. */
export const generalScene = 'general';

/** The surest scene of a text, whether or not it qualifies; undefined when there are no scenes. */
export function routeScene(scenes: readonly Scene[], text: string): RoutedScene | undefined {
  const matches = scenes.map((scene) => ({ scene, ...scene.match(text) }));
  const best = matches.reduce<(typeof matches)[number] | undefined>(
    (top, each) => (top === undefined || each.confidence > top.confidence ? each : top),
    undefined,
  );
  if (best === undefined || best.confidence <= 0) return undefined;
  const ties = matches.filter((each) => each !== best && each.confidence === best.confidence);
  return { ...best, ties: ties.map((each) => each.scene.name) };
}

export function qualifies(routed: RoutedScene | undefined): routed is RoutedScene {
  return routed !== undefined && routed.scene.name !== generalScene && routed.confidence >= sceneThreshold;
}
