/** `TEST_FULL=1`: the long forms of tests, which take minutes. */
export const isFull = process.env['TEST_FULL'] === '1';
