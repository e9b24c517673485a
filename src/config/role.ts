/** The parts of Docent that one process can play. */

export const roles = ['all', 'gateway', 'worker', 'web'] as const;
export type Role = (typeof roles)[number];
