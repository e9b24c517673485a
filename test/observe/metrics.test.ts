import { expect, test } from 'vitest';
import { createMetrics, type Metrics } from '../../src/observe/metrics.ts';
import { manualClock } from '../support/clock.ts';

/** The lines with values, without those of names that contain one of `hidden`. */
async function shown(metrics: Metrics): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket'));
}

const nothingYet = [
  'docent_rounds_total 0',
  ...['ack', 'first_text', 'turn', 'model'].flatMap((name) => [
    `docent_${name}_seconds_sum 0`,
    `docent_${name}_seconds_count 0`,
  ]),
];

test('what happened is counted, by what tells it apart', async () => {
  const metrics = await createMetrics(manualClock());
  metrics.count('turns', { outcome: 'finish' });
  metrics.count('turns', { outcome: 'finish' });
  metrics.count('turns', { outcome: 'paused' });
  metrics.count('rounds', {}, 3);
  metrics.count('tokens', { kind: 'prompt' }, 1_200);
  metrics.count('tokens', { kind: 'completion' }, 80);
  metrics.count('edits', { surface: 'slack' });
  metrics.count('rate_limited', { surface: 'discord' });
  expect((await shown(metrics)).filter((line) => line.includes('_total'))).toEqual([
    'docent_turns_total{outcome="finish"} 2',
    'docent_turns_total{outcome="paused"} 1',
    'docent_rounds_total 3',
    'docent_tokens_total{kind="prompt"} 1200',
    'docent_tokens_total{kind="completion"} 80',
    'docent_edits_total{surface="slack"} 1',
    'docent_rate_limited_total{surface="discord"} 1',
  ]);
});

test('durations are handed in as milliseconds and shown as seconds', async () => {
  const metrics = await createMetrics(manualClock());
  metrics.time('ack', 40);
  metrics.time('ack', 700);
  const text = await metrics.text();
  expect(text).toContain('docent_ack_seconds_bucket{le="0.05"} 1');
  expect(text).toContain('docent_ack_seconds_bucket{le="0.5"} 1');
  expect(text).toContain('docent_ack_seconds_bucket{le="1"} 2');
  expect(text).toContain('docent_ack_seconds_sum 0.74');
});

test('levels are read anew each time somebody looks', async () => {
  const metrics = await createMetrics(manualClock());
  let depth = 3;
  metrics.watch('queue_depth', async () => depth);
  metrics.watch('queue_oldest_age', async () => 1_500);
  expect(await shown(metrics)).toEqual([
    ...nothingYet,
    'docent_queue_depth 3',
    'docent_queue_oldest_age_seconds 1.5',
  ]);
  depth = 0;
  expect(await shown(metrics)).toContain('docent_queue_depth 0');
});

test('a level that nobody reads, that cannot be read, or not in time, is left out instead of being 0 or old', async () => {
  const clock = manualClock();
  const metrics = await createMetrics(clock);
  metrics.watch('queue_depth', async () => 7);
  expect(await shown(metrics)).toEqual([...nothingYet, 'docent_queue_depth 7']);
  metrics.watch('queue_depth', () => Promise.reject(new Error('away')));
  metrics.watch('open_pauses', () => new Promise(() => {}));
  const text = shown(metrics);
  await clock.untilWaiting();
  await clock.advance(1_000);
  expect(await text).toEqual(nothingYet);
  expect(clock.pending()).toEqual([]);
});

test('two meters in one process do not meet', async () => {
  const [one, other] = await Promise.all([createMetrics(manualClock()), createMetrics(manualClock())]);
  one.count('rounds', {});
  expect(await shown(one)).toContain('docent_rounds_total 1');
  expect(await shown(other)).toContain('docent_rounds_total 0');
});

test('the text is that of Prometheus', async () => {
  const metrics = await createMetrics(manualClock());
  expect(metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await metrics.text()).toContain(
    '# HELP docent_rounds_total Model calls with the calls of tools they asked for.\n# TYPE docent_rounds_total counter\n',
  );
});
