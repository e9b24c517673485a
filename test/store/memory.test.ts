import { memoryConversations } from '../../src/store/memory.ts';
import { conversationsContract } from '../contracts/conversations.contract.ts';

conversationsContract('conversations in memory', async (clock) => memoryConversations(clock));
