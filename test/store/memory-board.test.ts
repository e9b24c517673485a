import { memoryConversations } from '../../src/store/memory.ts';
import { memoryBoard } from '../../src/store/memory-board.ts';
import { boardContract } from '../contracts/board.contract.ts';

boardContract('the board in memory', async (clock) => {
  const conversations = memoryConversations(clock);
  return { board: memoryBoard(clock, conversations), conversations };
});
