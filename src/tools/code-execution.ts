/** The `code_execution` tool: a program of the tutor or of the learner, run where it reaches nothing. */
import { z } from 'zod';
import type { CodeResult, RunCode } from '../ports/code.ts';
import type { Tool } from '../ports/tool.ts';
import { defineTool } from './define-tool.ts';
import { leftOut } from './lenient.ts';

const maxCodeChars = 50_000;
const maxInputChars = 100_000;
/** A run waits for others before it, for itself at most 10 s. */
const timeoutMs = 120_000;

const args = z.object({
  language: z.enum(['python', 'javascript']),
  code: z
    .string()
    .min(1)
    .max(maxCodeChars)
    .meta({ description: 'The whole program; print what is to be seen.' }),
  stdin: z
    .preprocess(leftOut, z.string().max(maxInputChars).optional())
    .meta({ description: 'What the program reads with input() or readline().' }),
});

export function codeExecutionTool(run: RunCode): Tool {
  return defineTool({
    name: 'code_execution',
    description:
      'Runs a Python (standard library) or JavaScript program and returns what it printed. It has no network, no packages and no files of this machine, and 10 s. Use it to check arithmetic, to try a claim, and to run what a learner wrote.',
    args,
    mode: 'parallel',
    effect: 'none',
    timeoutMs,
    async run({ language, code, stdin = '' }, { user, signal }) {
      const result = await run({ language, code, stdin, person: user }, signal);
      const printed = result.output === '' ? 'It printed nothing.' : result.output;
      const why = endings[result.ended];
      if (result.ended === 'broken') return { kind: 'failed', text: why };
      return { kind: 'text', text: why === '' ? printed : `${printed.trimEnd()}\n[${why}]` };
    },
  });
}

const endings: Readonly<Record<CodeResult['ended'], string>> = {
  well: '',
  failed: 'The program ended with an error.',
  time: 'Ended after 10 s: it may never come to its end.',
  memory: 'Ended: it wanted more memory than there is.',
  output: 'Ended: it printed more than 20,000 characters; the rest is not shown.',
  broken:
    'The program could not be run: the sandbox ended by itself. Try it once more, or work it out without.',
};
