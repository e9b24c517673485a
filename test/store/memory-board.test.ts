import { memoryBoard } from '../../src/store/memory-board.ts';
import { boardContract } from '../contracts/board.contract.ts';

boardContract('the board in memory', async (clock) => memoryBoard(clock));
