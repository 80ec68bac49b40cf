import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { later, minuteMs } from '../clock.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSignedTokens } from './signed-token.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-20T12:00:00Z') });
});
afterAll(() => app.close());

test('a code gives back its ids, in any process, until it ends', async () => {
  const { signedTokens, db } = app.platform;
  const ids = [randomUUID(), randomUUID()];
  const code = await signedTokens.sign('qr', ids, later(app.clock.now(), minuteMs));
  expect(code).toHaveLength(70);
  expect(await signedTokens.verify('qr', code)).toEqual(ids);
  expect(await createSignedTokens(db, app.clock).verify('qr', code)).toEqual(ids);
  app.clock.advance(minuteMs);
  expect(await signedTokens.verify('qr', code)).toBe(null);
});

test('nothing else opens: another purpose, another end, a changed letter, a stranger’s code', async () => {
  const { signedTokens } = app.platform;
  const code = await signedTokens.sign('qr', [randomUUID()], later(app.clock.now(), minuteMs));
  expect(await signedTokens.verify('invite', code)).toBe(null);
  for (let at = 0; at < code.length; at++) {
    const other = code[at] === 'A' ? 'B' : 'A';
    expect(await signedTokens.verify('qr', code.slice(0, at) + other + code.slice(at + 1))).toBe(null);
  }
  for (const foreign of ['', 'x', code.slice(0, -1), `${code}A`, 'A'.repeat(48), '你好', `${code}\n`])
    expect(await signedTokens.verify('qr', foreign)).toBe(null);
});

test('what is derived stays the same, and differs by purpose and id', async () => {
  const { signedTokens } = app.platform;
  const [a, b] = [randomUUID(), randomUUID()];
  expect(await signedTokens.derive('salt', a)).toBe(await signedTokens.derive('salt', a));
  expect(await signedTokens.derive('salt', a)).not.toBe(await signedTokens.derive('salt', b));
  expect(await signedTokens.derive('salt', a)).not.toBe(await signedTokens.derive('other', a));
});
