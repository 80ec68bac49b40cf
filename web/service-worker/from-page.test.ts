import { expect, test } from 'vitest';
import { readFromPage } from './from-page.ts';

test.each([
  [{ type: 'KEEP_FILES', used: ['/assets/driver-1.js'], everything: false }, true],
  [{ type: 'KEEP_FILES', used: [], everything: true }, true],
  [{ type: 'HOLDS_FILES', names: ['/assets/index-1.js'] }, true],
  [{ type: 'HOLDS_FILES' }, false],
  [{ type: 'SKIP_WAITING' }, false],
  [{ type: 'KEEP_FILES', used: [7], everything: true }, false],
  [{ type: 'KEEP_FILES', used: [] }, false],
  [null, false],
  ['KEEP_FILES', false],
])('%j', (data, isAsk) => {
  expect(readFromPage(data)).toEqual(isAsk ? data : null);
});
