import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { later, minuteMs } from '../clock.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSeals } from './signed-token.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-20T12:00:00Z') });
});
afterAll(() => app.close());

test('a code gives back its ids, in any process, until it ends', async () => {
  const { seals, db } = app.platform;
  const ids = [randomUUID(), randomUUID()];
  const code = await seals.seal('qr', ids, later(app.clock.now(), minuteMs));
  expect(code).toHaveLength(70);
  expect(await seals.open('qr', code)).toEqual(ids);
  expect(await createSeals(db, app.clock).open('qr', code)).toEqual(ids);
  app.clock.advance(minuteMs);
  expect(await seals.open('qr', code)).toBe(null);
});

test('nothing else opens: another purpose, another end, a changed letter, a stranger’s code', async () => {
  const { seals } = app.platform;
  const code = await seals.seal('qr', [randomUUID()], later(app.clock.now(), minuteMs));
  expect(await seals.open('invite', code)).toBe(null);
  for (let at = 0; at < code.length; at++) {
    const other = code[at] === 'A' ? 'B' : 'A';
    expect(await seals.open('qr', code.slice(0, at) + other + code.slice(at + 1))).toBe(null);
  }
  for (const foreign of ['', 'x', code.slice(0, -1), `${code}A`, 'A'.repeat(48), '你好', `${code}\n`])
    expect(await seals.open('qr', foreign)).toBe(null);
});

test('what is derived stays the same, and differs by purpose and id', async () => {
  const { seals } = app.platform;
  const [a, b] = [randomUUID(), randomUUID()];
  expect(await seals.derive('salt', a)).toBe(await seals.derive('salt', a));
  expect(await seals.derive('salt', a)).not.toBe(await seals.derive('salt', b));
  expect(await seals.derive('salt', a)).not.toBe(await seals.derive('other', a));
});
