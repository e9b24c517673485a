import { memoryBlobs } from '../../src/store/memory-files.ts';
import { blobsContract } from '../contracts/blobs.contract.ts';

blobsContract('files in memory', async (clock, maxBytes) => memoryBlobs(clock, maxBytes));
