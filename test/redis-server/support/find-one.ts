/** Finds a server for the data folder in its argument, in a process of its own, and prints which. */
import { findRedisServer } from '../../../src/redis-server/find-server.ts';

const [dataFolder = ''] = process.argv.slice(2);
const log = (line: string) => console.error(line);
console.log(JSON.stringify(await findRedisServer({ dataFolder, env: process.env, log })));
