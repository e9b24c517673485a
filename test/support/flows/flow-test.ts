/** `test` for flows: each gets its own deployment, which is closed whatever happens, and checked for what must always hold. */
import { test as base, expect, vi } from 'vitest';
import type { Script } from '../llm/reply.ts';
import { Bot, type BotOptions } from './bot.ts';

// Many processes on few cores: a limit for what hangs, not for what is slow.
vi.setConfig({ testTimeout: 60_000 });

export const test = base.extend<{ startBot: (script: Script, options?: BotOptions) => Promise<Bot> }>({
  startBot: async ({ onTestFailed }, use) => {
    const bots: Bot[] = [];
    onTestFailed(() => console.log(bots.map((bot) => bot.output()).join('\n')));
    try {
      await use(async (script, options) => {
        const bot = await Bot.start(script, options);
        bots.push(bot);
        return bot;
      });
      for (const bot of bots) expect(await bot.problems()).toEqual([]);
    } finally {
      await Promise.all(bots.map((bot) => bot.close()));
    }
  },
});
