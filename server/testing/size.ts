/** A size that `npm test` can afford, and the one of `npm run test:long`. */
export const sized = <T>(usual: T, long: T): T => (process.env['TEST_LONG'] === '1' ? long : usual);
