import type { CommandWords } from './words.ts';

export const chinese: CommandWords = {
  help: (
    say,
  ) => `在频道里提及我，或者私信我，然后提问。我会在那里回答；在你的问题下面的子区里，不用提及也可以继续。
- ${say('ask')} 提出问题 · ${say('next')} 等我回答完再处理 · ${say('stop')} 停止回答 · ${say('new')} 重新开始
- ${say('remind')} 到时提醒 · ${say('reminders')} 查看提醒
- ${say('memory list')} 我记住的关于你的事 · ${say('memory forget')} 忘记其中一条
- ${say('settings')} 你的语言、时区和回答方式
- ${say('link')} 把你的两个账号合成一个人 · ${say('unlink')} 分开
- 在消息菜单里：应用，${say('explain')}`,
  noReminders: (say) => `你没有提醒。新建提醒：${say('remind')}，或者告诉我“明天九点提醒我”。`,
  guessedZone: (say) => `这不是你的时区？用 ${say('settings')} 设置。`,
  noMemories: '我没有记住关于你的任何事。',
  howToForget: (say) => `${say('memory forget')} 加编号：我就忘记它。`,
  forgotten: (text) => `已忘记：${text}`,
  noSuchMemory: (number, say) => `${say('memory list')} 里没有编号 ${number}。`,
  more: (count) => `…… 还有 ${count} 条`,
  settings: { language: '语言', zone: '时区', style: '回答', linked: '已关联' },
  asYouWrite: '与你使用的语言一致',
  zoneOfDocent: (zone) => `${zone}（未设置）`,
  styles: { short: '简短', balanced: '适中', thorough: '详细' },
  noZone: (text) => `“${text}”不是时区。请写成 Asia/Shanghai 这样。`,
  noLanguage: (text) => `我不认识“${text}”这种语言。请写成 de 或 pt-BR 这样。`,
  saved: '✓ 已保存。',
  linkCode: (code, until, say) =>
    `你的代码：\`${code}\`。请在 ${until} 之前，用另一个账号写 ${say('link')} 加这个代码，只能用一次。不要告诉任何人：使用它的人能看到我记住的关于你的事。`,
  linked: (accounts, say) =>
    `✓ 这个账号和 ${accounts} 现在是同一个人：我在那里记住的也一样，设置也一样。${say('unlink')} 可以分开。`,
  unknownCode: (say) =>
    `这个代码无效（或已失效）：有效期十分钟，只能用一次。请在另一个账号里用 ${say('link')} 生成新的。`,
  ownCode: '这个代码是本账号生成的，请在另一个账号里使用。',
  unlinked: '✓ 这个账号重新独立。你在这里告诉我的内容留在它这里。',
  notLinked: '这个账号没有与其他账号关联。',
};
