// What a bot on the usual packages loads before its own first line. Run whole.
const packages = ['discord.js', '@slack/bolt', 'openai', 'bullmq', 'zod'];
await Promise.all(packages.map((name) => import(name)));
