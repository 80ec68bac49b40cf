import { expect, test } from 'vitest';
import { stubBrowser } from './stub-browser.ts';

stubBrowser();
const { holdsUpPage } = await import('./settled.tsx');

test.each([
  ['/order/detail', undefined, true],
  ['/order/detail', {}, false],
  ['/im/room-list', undefined, false],
  ['/notification/unread-count', undefined, false],
  ['/announcement/current', undefined, false],
  ['/app/config', undefined, false],
])('a page waits for %s, read before as %o: %s', (path, data, waits) => {
  expect(holdsUpPage(path, data)).toBe(waits);
});
