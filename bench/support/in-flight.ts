/** Many at a time, as many people send. */
const senders = 50;

/** Calls `send` with every number below `count`, 50 calls at a time. Rejects with the first failure. */
export async function inFlight(count: number, send: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const sendOn = async () => {
    while (next < count) await send(next++);
  };
  await Promise.all(Array.from({ length: senders }, sendOn));
}
