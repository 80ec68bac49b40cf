import { randomUUID } from 'node:crypto';
import { strFromU8 } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptMs, retention, type RetentionKind, type TimedKind } from '#contract/privacy/retention.ts';
import { later, minuteMs } from '../../platform/clock.ts';
import { openAccessFixture } from '../../testing/access-fixture.ts';
import { exportFiles } from '../../testing/export-files.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { clearOldDeliveries } from '../connect/webhooks/manage-webhooks.ts';
import { clearOldAccess } from '../identity/schedule.ts';
import { clearOldNews } from '../notifications/schedule.ts';
import { lookForEvents } from '../payments/work-due.ts';
import { clearPictures } from '../pictures/schedule.ts';
import { clearOldShares } from '../safety/share-trip.ts';
import { wipePositions } from '../trips/positions.ts';
import { clearExports } from './exports/ask-export.ts';
import { personalTables } from './rules/personal-tables.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const kinds = Object.keys(retention) as RetentionKind[];
const listed: string[] = kinds.flatMap((kind) => [...retention[kind].tables]);

/** Tables without personal data: maps, sums, internal work, the sandbox's tables. */
const ofNobody = new Set([
  'chat_rooms',
  'daily_figures',
  // Names of groups, and their roles.
  'directory_groups',
  'group_roles',
  'event_cursors',
  'figures_counted',
  'ledger_lines',
  'ledger_sums',
  'open_sums',
  'order_numbers',
  'outages',
  'places',
  'provider_cursors',
  'provider_transactions',
  'reconciliations',
  'removed_files',
  'sandbox_deliveries',
  'sandbox_keys',
  'sandbox_objects',
  'security_counts',
  'server_heartbeat',
  'settings',
  'socket_io_attachments',
  // Addresses that events are sent to.
  'webhooks',
  // Only in a demo: emails and messages that were not really sent.
  'outbox_messages',
]);

test('every table is in the retention list once, or contains no personal data', async () => {
  const { rows } = await app.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const names = rows.map(({ name }) => name);
  expect([...listed, ...ofNobody].toSorted()).toEqual(names);
  expect(new Set(listed).size).toBe(listed.length);
});

test('the list includes every table that refers to a person, and states correctly whether the export has it', () => {
  for (const { table } of personalTables) expect(listed).toContain(table);
  const inExport = new Set(personalTables.filter(({ hidden }) => hidden !== null).map(({ table }) => table));
  for (const kind of kinds) {
    const { tables, exported } = retention[kind];
    if (tables.length === 0) continue;
    expect([kind, tables.some((table) => inExport.has(table))]).toEqual([kind, exported]);
  }
});

/** SQL that inserts a row of each kind as of an instant; `$1` is the instant, `$2` a person, `$3` a ride. */
const rowOf: Record<Exclude<TimedKind, 'signals'>, string> = {
  signups: `insert into signups (id, secret_hash, email, phone, password_hash, language, created_at)
    values (gen_random_uuid(), 'a', 'kept@example.com', '', 'a', 'en', $1)`,
  codes: `insert into email_codes (id, email, purpose, code_hash, tries, sent_at, expires_at)
    values (gen_random_uuid(), 'kept@example.com', 'signup', 'a', 0, $1, $1)`,
  sessions: `insert into sessions (id, user_id, family, access_hash, refresh_hash, expires_at, refresh_expires_at, user_agent, created_at)
    values (gen_random_uuid(), $2, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $1, $1, '', $1)`,
  signIns: `insert into sign_ins (family, user_id, user_agent, network, used_at, proved_at, created_at)
    values (gen_random_uuid(), $2, '', '', $1, $1, $1)`,
  repeats: `insert into idempotency (user_id, key, path, fingerprint, state, owner, lease_until, created_at)
    values ($2, gen_random_uuid(), '/a', 'a', 'done', gen_random_uuid(), $1, $1)`,
  positions: `insert into ride_positions (ride_id, driver_id, lon, lat, at) values ($3, $2, 0, 0, $1)`,
  sharedTrips: `insert into trip_shares (id, ride_id, owner_id, secret_hash, created_at)
    values (gen_random_uuid(), $3, $2, gen_random_uuid(), $1)`,
  unusedPictures: `insert into pictures (id, owner_id, purpose, object_key, width, height, created_at)
    values (gen_random_uuid(), $2, 'avatar', 'public/avatars/' || gen_random_uuid(), 1, 1, $1)`,
  dataExports: `insert into data_exports (id, user_id, state, asked_at) values (gen_random_uuid(), $2, 'ready', $1)`,
  news: `insert into notifications (id, user_id, source, thing, kind, word, facts, path, at)
    values (gen_random_uuid(), $2, gen_random_uuid(), '', 'order', 'accepted', '{}', '/', $1)`,
  undelivered: `insert into failed_deliveries (id, task, recipient, what, payload, error, attempts, at)
    values (gen_random_uuid(), 'email', 'kept@example.com', 'a', '{}', 'a', 1, $1)`,
  moneyNews: `insert into provider_events (id, type, at, received_at, kind, thing_id)
    values (gen_random_uuid(), 'a', $1, $1, 'a', 'a')`,
  webhookLog: `with hook as (
      insert into webhooks (id, name, url, events, state, secret, created_at)
      values (gen_random_uuid(), 'a', 'https://example.com', '{}', 'on', 'a', $1) returning id)
    insert into webhook_deliveries (id, webhook_id, source, event, body, state, created_at, next_at)
    select gen_random_uuid(), id, 'a', 'a', '{}', 'delivered', $1, $1 from hook`,
  readings: `insert into admin_readings (admin_id, list, hour_at, times, first_at, last_at) values ($2, 'users', $1, 1, $1, $1)`,
};

const tableOf: Partial<Record<TimedKind, string>> = { codes: 'email_codes', unusedPictures: 'pictures' };
const nameOf = (kind: TimedKind): string => tableOf[kind] ?? retention[kind].tables[0]!;

/** Runs the scheduled tasks of all features. */
async function clearAway(): Promise<void> {
  await clearOldAccess(app.platform);
  await wipePositions(app.platform);
  await clearOldShares(app.platform);
  await clearPictures(app.platform);
  await clearOldNews(app.platform);
  await lookForEvents(app.platform);
  await app.platform.audit.clearOld();
  await clearOldDeliveries(app.platform);
  await clearExports(app.platform);
}

const kindsWithRows = Object.keys(rowOf) as (keyof typeof rowOf)[];

test.each(kindsWithRows)(
  '%s: its job deletes it at the age that the list says, and not before',
  async (kind) => {
    const fixture = await openAccessFixture(app, kind === 'sharedTrips' ? 'finished' : 'departed');
    await app.pool.query(`delete from ${nameOf(kind)}`);
    const count = async () => {
      const { rows } = await app.pool.query<{ n: number }>(`select count(*)::int as n from ${nameOf(kind)}`);
      return rows[0]!.n;
    };
    const at = app.clock.now();
    const driver = fixture.people.driver.id;
    await app.pool.query(rowOf[kind], [
      at,
      ...(rowOf[kind].includes('$2') ? [driver] : []),
      ...(rowOf[kind].includes('$3') ? [fixture.ride.id] : []),
    ]);
    expect(await count()).toBe(1);
    // Rows with their own expiry are deleted in the next round after it.
    const isOver = retention[kind].since === 'valid' && kind === 'codes';
    if (!isOver) {
      app.clock.moveTo(later(at, keptMs(kind) - minuteMs));
      await clearAway();
      expect(await count()).toBe(1);
    }
    app.clock.moveTo(later(at, keptMs(kind) + minuteMs));
    await clearAway();
    expect(await count()).toBe(0);
  },
);

test('a person’s export contains the retention list in both languages', async () => {
  const mia = await app.person(`Mia ${randomUUID().slice(0, 8)}`);
  const readme = strFromU8((await exportFiles(app, mia))['README.txt']!);
  expect(readme).toContain('- Notifications: 60 days after we saved it. Then we delete it.');
  expect(readme).toContain('- 通知：保存后 60 天。到期后删除。');
  expect(readme.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(2 * kinds.length);
  expect(readme).not.toContain('kept.');
});
