import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listContacts, searchPeople } from '#contract/contacts/endpoints.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';

let app: TestApp;
let mia: TestPerson;
beforeAll(async () => {
  app = await openTestApp();
  mia = await app.person('Mia');
  const client = await app.pool.connect();
  try {
    await client.query(`
      set session_replication_role = replica;
      insert into users (id, email, password_hash, name, profile_completed_at, created_at)
        select md5('u' || i)::uuid, 'u' || i || '@example.com', '', 'Ada ' || i, now(), now() from generate_series(1, 20000) i;
      insert into licenses (id, user_id, status, created_at)
        select md5('l' || i)::uuid, md5('u' || i)::uuid, 'Accepted', now() from generate_series(1, 20000) i;
      insert into contacts (owner_id, other_id, origin, created_at)
        select '${mia.id}', md5('u' || i * 10)::uuid, 'DIRECT', now() from generate_series(1, 500) i;
      set session_replication_role = origin`);
    // A transaction that began before keeps pages from being read from an index alone.
    await vi.waitFor(
      async () => {
        await client.query('vacuum analyze users, licenses, contacts');
        const { rows } = await client.query(
          'select from pg_class where relallvisible < relpages and oid = any($1::regclass[])',
          [['users', 'licenses', 'contacts']],
        );
        expect(rows).toEqual([]);
      },
      { timeout: 20_000, interval: 200 },
    );
  } finally {
    client.release();
  }
});
afterAll(() => app.close());

/** The plans of the statements that a call asks, as far as they match. */
async function plansOf(words: RegExp, work: () => Promise<unknown>): Promise<string> {
  const texts = (await statementsOf(work)).filter((text) => words.test(text));
  expect(texts.length).toBeGreaterThan(0);
  const plans: string[] = [];
  for (const text of texts) {
    const { rows } = await app.platform.db.execute<{ 'QUERY PLAN': string }>(
      sql.raw(`explain (generic_plan) ${text}`),
    );
    plans.push(...rows.map((row) => row['QUERY PLAN']));
  }
  return plans.join('\n');
}

test('contacts are searched by name from an index of theirs, not among everybody of such a name', async () => {
  const plan = await plansOf(/lower\("users"\."name"\) like/, () =>
    app.ok(mia, searchPeople, { text: 'Ada' }),
  );
  expect(plan).toMatch(/ (?:on|using) users_known/);
  expect(plan).not.toContain('users_name_trgm');
});

test('whether contacts may drive is read from an index alone', async () => {
  const plan = await plansOf(/from "licenses"/, () => app.ok(mia, listContacts, {}));
  expect(plan).toMatch(/Index Only Scan.* using licenses_standing/);
});
