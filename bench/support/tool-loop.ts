/** The tool of the tool loops, for every variant. */
import { toolResult, toolRounds, turnsPerSample } from './workload.ts';

export const toolName = 'look_up';
export const toolDescription = 'Looks a topic up in the course book.';

/** Counts how often the tool ran, so that no variant is measured for rounds it left out. */
export class ToolRuns {
  private count = 0;

  run(query: string): string {
    this.count++;
    return `${query}: ${toolResult}`;
  }

  /** Rounds since the last call of this; throws unless every turn made all of its rounds. */
  rounds(): number {
    const { count } = this;
    this.count = 0;
    if (count !== toolRounds * turnsPerSample) throw new Error(`${count} tool calls ran, expected all`);
    return count;
  }
}
