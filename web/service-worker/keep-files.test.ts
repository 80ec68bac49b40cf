import { expect, test } from 'vitest';
import { isAsk } from './keep-files.ts';

test.each([
  [{ type: 'KEEP_FILES', used: ['/assets/driver-1.js'], everything: false }, true],
  [{ type: 'KEEP_FILES', used: [], everything: true }, true],
  [{ type: 'SKIP_WAITING' }, false],
  [{ type: 'KEEP_FILES', used: [7], everything: true }, false],
  [{ type: 'KEEP_FILES', used: [] }, false],
  [null, false],
  ['KEEP_FILES', false],
])('%j', (data, asks) => {
  expect(isAsk(data)).toBe(asks);
});
