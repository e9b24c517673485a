/** `npm run conformance -- DIR`: runs every file of a folder that has one of the vectors' formats. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { casesOf } from './formats.ts';

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error(
    'Usage: npm run conformance -- DIR   (a folder of JSON files in the formats of test/fixtures/vectors)',
  );
  process.exit(2);
}

let passed = 0;
let failed = 0;
for (const name of jsonFiles(folder)) {
  for (const { title, check } of readCases(path.join(folder, name))) {
    const problems = await check().catch((error: unknown) => [`threw ${String(error)}`]);
    if (problems.length === 0) passed += 1;
    else {
      failed += 1;
      console.log(`FAILED ${name}: ${title}`);
      for (const problem of problems) console.log(`    ${problem}`);
    }
  }
}
if (passed + failed === 0) {
  console.error(`No cases in ${folder}: expected JSON files in the formats of test/fixtures/vectors.`);
  process.exitCode = 1;
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

function jsonFiles(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .toSorted();
  } catch (error) {
    console.error(`Cannot read ${dir}: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}

function readCases(file: string) {
  try {
    return casesOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${file}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}
