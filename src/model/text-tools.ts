/**
 * Tools for a service that has none: described in the system message, called as markup in the text (which the loop
 * reads), answered in user messages. Call ids do not appear: order tells which result belongs to which call.
 */
import type { ToolCall, ToolMessage } from '../domain/message.ts';
import type { ToolSchema } from '../ports/model.ts';

/** What the system message has to say about `tools`; empty when there are none. */
export function describeTools(tools: readonly ToolSchema[]): string {
  if (tools.length === 0) return '';
  const list = tools.map(
    (tool) => `- ${tool.name}: ${tool.description}\n  Parameters: ${JSON.stringify(tool.parameters)}`,
  );
  return `# Tools

You may call these tools:

${list.join('\n')}

To call one, write exactly this markup at the end of your reply, then stop; the result comes in the next message:

<tool_calls>
<invoke name="tool_name">
<parameter name="a_text" string="true">text as it is</parameter>
<parameter name="anything_else" string="false">JSON</parameter>
</invoke>
</tool_calls>

Several calls are several invoke elements in one tool_calls element. Never invent a result.`;
}

/** The markup a model would have written for these calls; empty when there are none. */
export function callsAsText(calls: readonly ToolCall[]): string {
  if (calls.length === 0) return '';
  const invokes = calls.map((call) => {
    const parameters = Object.entries(objectOf(call.args) ?? {}).map(([name, value]) =>
      typeof value === 'string'
        ? `<parameter name="${name}" string="true">${value}</parameter>`
        : `<parameter name="${name}" string="false">${JSON.stringify(value)}</parameter>`,
    );
    return [`<invoke name="${call.name}">`, ...parameters, '</invoke>'].join('\n');
  });
  return ['<tool_calls>', ...invokes, '</tool_calls>'].join('\n');
}

/** A result as the person's side would report it. */
export function resultAsText({ name, content }: ToolMessage): string {
  return `<tool_result name="${name}">\n${content}\n</tool_result>`;
}

/** The arguments when their text is one JSON object, else `undefined`. */
export function objectOf(args: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    // A model may write anything as arguments.
    return undefined;
  }
}
