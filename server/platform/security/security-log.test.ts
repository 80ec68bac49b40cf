import { drizzle } from 'drizzle-orm/node-postgres';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { StandingClock } from '../../testing/fixed-clock.ts';
import { createSecurityLog, securityEventOf } from './security-log.ts';

test.each([
  ['/access/login', null, 'signedIn'],
  ['/order/list', null, null],
  ['/access/login', { code: 422, reason: 'access.wrong' }, 'signInFailed'],
  ['/access/oauth-login', { code: 422, reason: 'access.outsideExpired' }, 'signInFailed'],
  ['/access/login', { code: 429, reason: 'rate.limited' }, 'rateLimited'],
  ['/access/verify-email', { code: 422, reason: 'access.codeWrong' }, 'codeRefused'],
  ['/access/change-password', { code: 422, reason: 'access.passwordWrong' }, 'signInFailed'],
  ['/access/retrieve-password-confirm', { code: 422, reason: 'access.codeExpired' }, 'codeRefused'],
  ['/access/refresh-token', { code: 400, reason: 'session.missing' }, 'tokenRefused'],
  ['/admin/users', { code: 403, reason: 'access.denied' }, 'forbidden'],
  ['/access/login', { code: 403, reason: 'access.secondStep' }, null],
  ['/access/second-step', null, 'signedIn'],
  ['/access/second-step', { code: 422, reason: 'factor.wrong' }, 'factorRefused'],
  ['/access/passkey-login', { code: 422, reason: 'factor.passkeyRefused' }, 'factorRefused'],
  ['/access/second-step', { code: 422, reason: 'factor.expired' }, 'signInFailed'],
  ['/access/totp-remove', null, 'factorChanged'],
  ['/user/export', { code: 403, reason: 'session.stepUp' }, null],
  ['/admin/users', { code: 403, reason: 'access.secondFactorNeeded' }, null],
  ['/order/list', { code: 400, reason: 'session.missing' }, null],
  ['/order/create', { code: 422, reason: 'order.timePast' }, null],
] as const)('%s ending in %o is %s', (path, refusal, event) => {
  expect(securityEventOf(path, refusal)).toBe(event);
});

/** A log that keeps its lines, and a table that keeps its rows. */
function watched() {
  const lines: Record<string, unknown>[] = [];
  const rows: { event: string; count: number; hourAt: Date }[] = [];
  let isAway = false;
  const write = (line: Record<string, unknown>) => lines.push(line);
  const log = Object.assign(pino({ level: 'silent' }), { info: write, warn: write });
  const db = Object.assign(drizzle.mock(), {
    insert: () => ({
      values: (added: typeof rows) => ({
        onConflictDoUpdate: async () => {
          if (isAway) throw new Error('The database is away.');
          rows.push(...added);
        },
      }),
    }),
  });
  const clock = new StandingClock(new Date('2026-11-23T15:00:30Z'));
  const security = createSecurityLog({ log, db, clock });
  return { security, lines, rows, clock, cutDatabase: (away: boolean) => (isAway = away) };
}
const facts = (network: string, userId: string | null = null) => ({ path: '/access/login', network, userId });

test('250,000 refused tries are all counted, and write few lines', async () => {
  const { security, lines, rows, clock } = watched();
  for (let at = 0; at < 250_000; at++) {
    security.note('signInFailed', facts(`10.0.${at % 4}.1`));
    if (at % 50_000 === 49_999) clock.advance(60_000);
  }
  await security.flush();
  expect(rows).toEqual([
    {
      event: 'signInFailed',
      count: 250_000,
      hourAt: new Date('2026-11-23T15:00:00Z'),
      lastAt: expect.any(Date) as Date,
    },
  ]);
  // Five minutes: ten lines for each of four networks, and one for the rest of each minute.
  expect(lines).toHaveLength(5 * (4 * 10 + 1));
  expect(lines.at(-1)).toMatchObject({ security: 'signInFailed', more: 50_000 - 40, networks: 4 });
});

test('tries from everywhere at once write few lines too; another kind of event still has its own', async () => {
  const { security, lines, clock } = watched();
  for (let at = 0; at < 50_000; at++)
    security.note('signInFailed', facts(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`));
  expect(lines).toHaveLength(200);
  security.note('webhookForged', facts('10.0.0.1'));
  expect(lines.at(-1)).toMatchObject({ security: 'webhookForged' });
  clock.advance(60_000);
  await security.flush();
  expect(lines).toHaveLength(202);
  expect(lines.at(-1)).toMatchObject({ security: 'signInFailed', more: 49_800, networks: 1001 });
});

test('people who sign in behind the address of an office each have their line', () => {
  const { security, lines } = watched();
  for (let at = 0; at < 60; at++) security.note('signedIn', facts('192.0.2.1', `person ${at}`));
  expect(lines).toHaveLength(60);
});

test('what cannot be added to the table now is added later, by its own hour', async () => {
  const { security, rows, clock, cutDatabase } = watched();
  cutDatabase(true);
  security.note('forbidden', facts('10.0.0.1'));
  await expect(security.flush()).rejects.toThrow('away');
  clock.advance(3_600_000);
  security.note('forbidden', facts('10.0.0.1'));
  cutDatabase(false);
  await security.flush();
  expect(rows.map(({ count, hourAt }) => [count, hourAt.toISOString()])).toEqual([
    [1, '2026-11-23T15:00:00.000Z'],
    [1, '2026-11-23T16:00:00.000Z'],
  ]);
});
