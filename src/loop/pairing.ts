/** The invariant of every request: a message with calls is followed at once by one result per call, in order. */
import type { ModelMessage, ToolMessage } from '../domain/message.ts';

/** Every place where the rule is broken, as sentences; empty when the request is valid. O(messages). */
export function unpaired(messages: readonly ModelMessage[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let owed: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const expected = owed.shift();
      if (expected === undefined) problems.push(`result ${message.callId} answers no call before it`);
      else if (expected !== message.callId)
        problems.push(`result ${message.callId} stands where ${expected} belongs`);
      continue;
    }
    if (owed.length > 0) problems.push(`no result for ${owed.join(', ')}`);
    owed = [];
    if (message.role !== 'assistant') continue;
    for (const call of message.calls) {
      if (call.name === '') problems.push(`call ${call.id} has no name`);
      if (seen.has(call.id)) problems.push(`call id ${call.id} occurs twice`);
      seen.add(call.id);
      owed.push(call.id);
    }
  }
  if (owed.length > 0) problems.push(`no result for ${owed.join(', ')}`);
  return problems;
}

/**
 * A valid copy: results without their call and second results are left out, calls without a result get a made-up one
 * behind their siblings. The last line of defence in production; the journal stays as it is.
 */
export function repairPairs(messages: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = [];
  const used = new Set<string>();
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined || message.role === 'tool') continue;
    if (message.role !== 'assistant' || message.calls.length === 0) {
      repaired.push(message);
      continue;
    }
    const calls = message.calls.filter((call) => call.name !== '' && !used.has(call.id));
    for (const call of calls) used.add(call.id);
    repaired.push({ ...message, calls });
    const results = new Map<string, ToolMessage>();
    for (let next = messages[at + 1]; next?.role === 'tool'; next = messages[at + 1]) {
      if (!results.has(next.callId)) results.set(next.callId, next);
      at += 1;
    }
    for (const call of calls) repaired.push(results.get(call.id) ?? lost(call.id, call.name));
  }
  return repaired;
}

function lost(callId: ToolMessage['callId'], name: string): ToolMessage {
  const content = 'The result of this call was lost. Check what it did before you repeat it.';
  return { role: 'tool', callId, name, status: 'outcome_unknown', content };
}
