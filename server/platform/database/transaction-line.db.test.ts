import { sql } from 'drizzle-orm';
import { Client, type Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import {
  AnotherWasFaster,
  inSavepoint,
  inTransaction,
  isConnectionLost,
  noteForCommit,
  runNamed,
  sqlState,
  type Db,
  type WritePart,
} from './db.ts';

let app: TestApp;
let pool: Pool;
beforeAll(async () => {
  app = await openTestApp();
  pool = app.serverPool;
  await app.pool.query(`create table lines_tried (id int primary key, value int not null check (value < 100),
    next int references lines_tried (id) deferrable initially deferred)`);
  await app.pool.query('grant select, insert, update, delete on lines_tried to public');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await pool.query('delete from lines_tried');
});
afterAll(() => app.close());

/** The statements given to the driver, each with the number of those still unanswered. */
function watchDriver(): { text: string; unanswered: number }[] {
  const asked: { text: string; unanswered: number }[] = [];
  let unanswered = 0;
  const { query } = Client.prototype;
  vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...question: unknown[]) {
    const answer: unknown = Reflect.apply(query, this, question);
    // The pool's own queries use callbacks.
    if (!(answer instanceof Promise)) return answer;
    const [first] = question as [string | { text: string }];
    asked.push({ text: typeof first === 'string' ? first : first.text, unanswered });
    unanswered++;
    const isAnswered = () => void unanswered--;
    answer.then(isAnswered, isAnswered);
    return answer;
  });
  return asked;
}

const last = { statements: (parts: readonly WritePart[]) => [...parts] };
const insert = (id: number, value: number): WritePart => ({
  statement: sql`insert into lines_tried (id, value) values (${id}, ${value}) returning id`,
});
const values = async () =>
  (await pool.query<{ value: number }>('select value from lines_tried order by id')).rows.map(
    ({ value }) => value,
  );

test('the begin travels with the first statement, the commit with the last write', async () => {
  const asked = watchDriver();
  const made = await inTransaction(pool, async (tx) => {
    await tx.execute(sql`select 1`);
    noteForCommit(tx, last, insert(1, 7));
    return 'made';
  });
  expect(made).toBe('made');
  expect(asked.map(({ text, unanswered }) => [text.split(' ')[0], unanswered])).toEqual([
    ['begin', 0],
    ['select', 1],
    ['with', 0],
    ['commit', 1],
  ]);
  expect(await values()).toEqual([7]);
});

test('a transaction without statements sends nothing', async () => {
  const asked = watchDriver();
  await expect(inTransaction(pool, () => Promise.resolve('made'))).resolves.toBe('made');
  await expect(inTransaction(pool, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(asked).toEqual([]);
});

test.each([
  {
    what: 'changes fewer rows than it must',
    part: { statement: sql`update lines_tried set value = 3 where id = 9 returning id`, rows: 1 },
    state: '40001',
  },
  { what: 'breaks a check', part: insert(1, 100), state: '23514' },
  {
    what: 'breaks a constraint that is looked at with the commit',
    part: { statement: sql`insert into lines_tried (id, value, next) values (1, 2, 9) returning id` },
    state: '23503',
  },
])(
  'a last write that $what leaves nothing, though the commit was sent behind it',
  async ({ part, state }) => {
    const failed = inTransaction(pool, async (tx) => {
      await tx.execute(sql`insert into lines_tried (id, value) values (5, 5)`);
      noteForCommit(tx, last, part);
    });
    const error = await failed.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(sqlState(error)).toBe(state);
    expect(error instanceof AnotherWasFaster).toBe(state === '40001');
    expect(await values()).toEqual([]);
    // Every connection of the pool is outside a transaction.
    const open = await pool.query(
      `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    );
    expect(open.rowCount).toBe(0);
  },
);

test('a first statement that fails is rolled back, and the connection serves the next', async () => {
  await expect(inTransaction(pool, (tx) => tx.execute(sql`select 1 / 0`))).rejects.toThrow();
  await inTransaction(pool, (tx) => tx.execute(sql`insert into lines_tried (id, value) values (1, 1)`));
  expect(await values()).toEqual([1]);
});

test('a connection lost with the last write is reported as such', async () => {
  const cut = inTransaction(pool, async (tx) => {
    await tx.execute(sql`insert into lines_tried (id, value) values (5, 5)`);
    noteForCommit(tx, last, { statement: sql`select pg_terminate_backend(pg_backend_pid())`, rows: 1 });
  });
  await expect(cut.catch((error: unknown) => isConnectionLost(error))).resolves.toBe(true);
  expect(await values()).toEqual([]);
});

test('a statement with a name is planned once for any values, one without for its own', async () => {
  const text = `select current_setting('plan_cache_mode') as mode`;
  const modes = await inTransaction(
    pool,
    async (tx) => {
      const named = async () => (await runNamed<{ mode: string }>(tx, { name: 'mode', text }))[0]!.mode;
      const unnamed = async (db: Db = tx) =>
        (await db.execute<{ mode: string }>(sql.raw(text))).rows[0]!.mode;
      const found = [await named(), await unnamed(), await unnamed(), await named()];
      // What a savepoint has set is undone with it.
      const failed = inSavepoint(tx, async (inner) => {
        found.push(await unnamed(inner));
        await inner.execute(sql`select 1 / 0`);
      });
      await expect(failed).rejects.toThrow();
      found.push(await unnamed(), await named());
      return found;
    },
    undefined,
    true,
  );
  const [generic, auto] = ['force_generic_plan', 'auto'];
  expect(modes).toEqual([generic, auto, auto, generic, auto, auto, generic]);
  const { rows } = await pool.query<{ mode: string }>(text);
  expect(rows).toEqual([{ mode: auto }]);
});

test('changing how statements are planned takes no message of its own', async () => {
  const asked = watchDriver();
  await inTransaction(
    pool,
    async (tx) => {
      await runNamed(tx, { name: 'one', text: 'select 1' });
      await tx.execute(sql`select 2`);
    },
    undefined,
    true,
  );
  expect(asked.map(({ text, unanswered }) => [text.replace(/.*; /, ''), unanswered])).toEqual([
    ['set local plan_cache_mode = force_generic_plan', 0],
    ['select 1', 1],
    ['set local plan_cache_mode = auto', 0],
    ['select 2', 1],
    ['commit', 0],
  ]);
});
