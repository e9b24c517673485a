import { localRateBudgets } from '../../src/delivery/local-rate-budgets.ts';
import { rateBudgetContract } from '../contracts/rate-budget.contract.ts';

rateBudgetContract('rate budgets of one process', (now) => localRateBudgets({ now }));
