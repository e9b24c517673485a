import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';

/** A message of the interface; `reasoning_content` is the common extension for replayed reasoning. */
export type ChatMessage = ChatCompletionMessageParam & { reasoning_content?: string };
