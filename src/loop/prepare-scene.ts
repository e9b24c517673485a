/** The prepared path: data at hand, one call without tools. It does not use up the loop's budget. */
import { textOf } from '../domain/message.ts';
import { limitHook, type RequestConfig, runHook, type UserRecord } from './hooks.ts';
import { qualifies, routeScene } from './scene.ts';
import type { TurnContext } from './turn-context.ts';

/** Preparing data may take this long; then the free loop runs. Unit: milliseconds. */
const prepareLimitMs = 5_000;

/**
 * Tries the scene of the messages that open a turn. Returns its answer, already recorded, or undefined when the free
 * loop is to run as if nothing had been tried: no sure scene, no data, or a reply that is no plain text.
 */
export async function sceneAnswer(
  turn: TurnContext,
  messages: readonly UserRecord[],
  config: RequestConfig,
): Promise<string | undefined> {
  const text = messages.map((message) => textOf(message.content)).join('\n');
  const prepared = await prepare(turn, text);
  if (prepared === undefined) return undefined;
  turn.feed.begin('paragraph');
  const asked = await turn.model.ask({ mode: { kind: 'closing' }, withTools: false, config, prepared });
  const answer = turn.feed.stepText;
  const isText = asked.kind === 'reply' && asked.reply.stop === 'stop' && asked.reply.calls.length === 0;
  if (isText && answer.trim() !== '') {
    await turn.recordResponse(asked.reply, turn.input.strategy.write(answer));
    return answer;
  }
  turn.feed.retract('retry');
  await turn.record({ type: 'assistant/attempt', reason: 'scene', content: answer });
  return undefined;
}

/** The person's message in the scene's own words, with its data. Whatever goes wrong here, the person sees no error. */
async function prepare(turn: TurnContext, text: string): Promise<string | undefined> {
  const { hooks, clock, log, signal } = turn.io;
  try {
    const route = async () => routeScene(turn.input.scenes, text);
    const routed = await limitHook(runHook(hooks.routeScene, text, route), 'routeScene', clock);
    if (!qualifies(routed)) return undefined;
    const { scene, confidence, words, ties } = routed;
    if (ties.length > 0)
      log.info({ scene: scene.name, ties }, 'two scenes were equally sure; the first one was taken');
    const limit = AbortSignal.any([signal, AbortSignal.timeout(prepareLimitMs)]);
    const data = await scene.prepare(text, limit);
    if (data === undefined || signal.aborted) return undefined;
    await turn.record({ type: 'scene/routed', scene: scene.name, confidence, words, ties });
    return scene.template(text, data);
  } catch (error) {
    log.warn({ error }, 'a scene could not be prepared; the free loop runs');
    return undefined;
  }
}
