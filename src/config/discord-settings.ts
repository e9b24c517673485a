/** The settings of Discord, and where answers stand. */

export const discordSettings = [
  {
    name: 'DISCORD_TOKEN',
    unit: '',
    meaning: 'Token of the bot on Discord. Unset: Docent is not on Discord.',
    expected: 'a token without spaces or line breaks',
    fix: 'Copy it from the page "Bot" of the Discord developer portal, without "Bot " in front.',
    isSecret: true,
  },
  {
    name: 'DISCORD_API_URL',
    fallback: 'https://discord.com/api',
    unit: '',
    meaning: 'Address of the API of Discord, without a version.',
    expected: 'an http(s) address without a version at its end',
    fix: 'Leave it out for https://discord.com/api.',
  },
  {
    name: 'DISCORD_SHARDS',
    fallback: 'auto',
    unit: '',
    meaning: 'Connections to Discord of one gateway; auto takes as many as Discord recommends.',
    expected: 'auto or a whole number from 1 to 1000',
    fix: 'Leave it out for auto.',
  },
  {
    name: 'DISCORD_GUILD_ID',
    unit: '',
    meaning:
      'Id of the only server that gets the commands, at once; for trying things out. Unset: all servers.',
    expected: 'the id of a server, 17 to 20 digits',
    fix: 'Right-click the name of the server and choose "Copy Server ID" (Settings, Advanced, Developer Mode).',
  },
  {
    name: 'ANSWER_PLACEMENT',
    fallback: 'auto',
    unit: '',
    meaning:
      'Where the answer to a question in a channel stands: channel, thread, auto (what is usual on the platform), or one for each, such as discord:thread.',
    expected: 'auto, channel, thread, or pairs such as discord:thread with commas between them',
    fix: 'Leave it out for auto.',
  },
] as const;
