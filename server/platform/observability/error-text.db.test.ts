import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { users } from '../../schema/identity.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { createLog } from './log.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const secret = 'Elm Street 7, blue door';

/** The log's line of an error, in production and while developing. */
function logged(error: unknown): string {
  let lines = '';
  const log = createLog({ LOG_LEVEL: 'info', production: true }, { write: (line) => (lines += line) });
  log.error({ err: error }, 'something failed');
  log.error(error as Error);
  return lines;
}

const failing: { name: string; fails: () => Promise<unknown>; says: RegExp }[] = [
  {
    name: 'a statement with parameters',
    fails: () => app.platform.db.execute(sql`select ${secret}::text from nowhere`),
    says: /relation \\?"nowhere\\?" does not exist/,
  },
  {
    name: 'a row that is there already',
    fails: async () => {
      const row = {
        id: crypto.randomUUID(),
        email: secret,
        name: secret,
        passwordHash: '',
        createdAt: new Date(),
      };
      await app.platform.db.insert(users).values(row);
      await app.platform.db.insert(users).values({ ...row, id: crypto.randomUUID() });
    },
    says: /"constraint":"users_email/,
  },
  {
    name: 'a value that cannot be read',
    fails: () => app.pool.query('select $1::uuid', [secret]),
    says: /invalid input syntax for type uuid/,
  },
  {
    name: 'a row that breaks a rule',
    fails: async () => {
      await app.pool.query('create table test_rule (name text check (length(name) < 3))');
      await app.pool.query('insert into test_rule values ($1)', [secret]);
    },
    says: /test_rule_name_check/,
  },
];

test.each(failing)(
  'the log says why $name failed, and nothing of what was in it',
  async ({ fails, says }) => {
    const error = await fails().then(
      () => new Error('it did not fail'),
      (caught: unknown) => caught,
    );
    const lines = logged(error);
    expect(lines).toMatch(says);
    expect(lines).not.toContain('Elm Street');
  },
);
