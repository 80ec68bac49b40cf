import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import type { Claim } from '../http/idempotency.ts';
import { movedOn, Refusal } from '../refusal.ts';
import { noteForCommit, type Db, type WritePart } from './db.ts';
import { createKeyedLock } from './keyed-lock.ts';
import { openSharedPool, SharedTransactions, type SharedPlace } from './shared-transactions.ts';
import { asAction } from './transact.ts';

let app: TestApp;
let pool: Pool;
let shared: SharedTransactions<string>;
const place = (line: string) => shared.place(line);
const lines = createKeyedLock();
/** The lines of each transaction, in the order in which they locked. */
const locked: string[][] = [];

beforeAll(async () => {
  app = await openTestApp();
  pool = openSharedPool(app.serverPool, app.platform.log);
  await app.pool.query('create table shared_tried (name text primary key, transaction text not null)');
  await app.pool.query('grant select, insert, update, delete on shared_tried to public');
  shared = new SharedTransactions<string>(pool, lines, {
    lineOf: (line) => line,
    lock: async (tx, wishes) => {
      locked.push([...wishes]);
      await tx.execute(sql`select 1`);
      return wishes.map((line) => line !== 'taken elsewhere');
    },
  });
});
afterEach(async () => {
  locked.length = 0;
  await app.pool.query('delete from shared_tried');
});
afterAll(async () => {
  await pool.end();
  await app.close();
});

const last = { statements: (parts: readonly WritePart[]) => [...parts] };
const noting = (name: string) => async (tx: Db) => {
  noteForCommit(tx, last, {
    statement: sql`insert into shared_tried values (${name}, pg_current_xact_id()::text) returning name`,
  });
  return name;
};
const written = async () =>
  (
    await app.pool.query<{ name: string; transaction: string }>(
      'select name, transaction from shared_tried order by name',
    )
  ).rows;

test('what is asked at the same moment is one transaction', async () => {
  const outcomes = await Promise.all(['a', 'b', 'c'].map((name) => place(name).run(noting(name))));
  expect(outcomes).toEqual([{ made: 'a' }, { made: 'b' }, { made: 'c' }]);
  const rows = await written();
  expect(rows.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1);
  expect(locked).toEqual([['a', 'b', 'c']]);
});

test('work that is refused leaves nothing, and the others are done', async () => {
  const refused = place('b').run(async (tx) => {
    await noting('b')(tx);
    throw movedOn('ride.full', 'This ride is full.');
  });
  const others = [place('a').run(noting('a')), place('c').run(noting('c'))];
  const outcome = await refused;
  expect('error' in (outcome as object) && (outcome as { error: unknown }).error).toBeInstanceOf(Refusal);
  await Promise.all(others);
  expect((await written()).map(({ name }) => name)).toEqual(['a', 'c']);
});

test('where the transaction fails, all of it is rolled back and each is to be done alone', async () => {
  const twice = await Promise.all(['a', 'same', 'b'].map((name) => place(name).run(noting('a'))));
  expect(twice).toEqual(['alone', 'alone', 'alone']);
  expect(await written()).toEqual([]);
  // Work that has asked the database cannot be undone alone.
  const asked = await Promise.all([
    place('a').run(noting('a')),
    place('b').run(async (tx) => {
      await tx.execute(sql`select 1`);
      throw movedOn('ride.full', 'This ride is full.');
    }),
  ]);
  expect(asked).toEqual(['alone', 'alone']);
  expect(await written()).toEqual([]);
});

test('what another has locked is done alone, at the database or in this process', async () => {
  const outcomes = await Promise.all(['a', 'taken elsewhere'].map((name) => place(name).run(noting(name))));
  expect(outcomes).toEqual([{ made: 'a' }, 'alone']);
  const done = Promise.withResolvers<void>();
  const waiting = lines.wait('b', () => done.promise);
  expect(await place('b').run(noting('b'))).toBe('alone');
  done.resolve();
  await waiting;
});

test('work on one line in two transactions is done in its order', async () => {
  const names = Array.from({ length: 40 }, (_, count) => `n${String(count).padStart(2, '0')}`);
  const order: string[] = [];
  await Promise.all(
    names.map((name) =>
      place('one').run(async (tx) => {
        order.push(name);
        return noting(name)(tx);
      }),
    ),
  );
  expect(order).toEqual(names);
  const transactions = (await written()).map(({ transaction }) => transaction);
  expect(new Set(transactions).size).toBe(3);
});

test('what comes meanwhile goes together in the next one, and not behind one that takes long', async () => {
  const [gate, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = place('slow').run(async (tx) => {
    begun.resolve();
    await gate.promise;
    return noting('slow')(tx);
  });
  await begun.promise;
  const soon = place('soon').run(noting('soon'));
  await sleep(5);
  const others = ['later', 'last'].map((name) => place(name).run(noting(name)));
  // The first one is still under way.
  expect(await Promise.all([soon, ...others])).toEqual([
    { made: 'soon' },
    { made: 'later' },
    { made: 'last' },
  ]);
  gate.resolve();
  expect(await slow).toEqual({ made: 'slow' });
  expect(locked).toEqual([['slow'], ['soon', 'later', 'last']]);
});

/** The right to carry out a new action. */
async function newClaim(): Promise<Claim> {
  const claim = { userId: crypto.randomUUID(), key: crypto.randomUUID(), owner: crypto.randomUUID() };
  await app.pool.query(
    `insert into idempotency (user_id, key, path, fingerprint, state, owner, lease_until, created_at)
     values ($1, $2, '/tried', '', 'started', $3, now() + interval '1 minute', now())`,
    [claim.userId, claim.key, claim.owner],
  );
  return { ...claim, step: null };
}

test.each([
  ['has committed counts', true],
  ['has not committed is done alone', false],
])('what a transaction whose connection is cut at the commit %s', async (_what, isCommitted) => {
  const cut = new Error('The connection was cut.');
  const cutAtCommit: SharedPlace = {
    async run<T>(work: (tx: Db) => Promise<T>) {
      if (isCommitted) await place('a').run(work);
      return { made: 'a' as T, cut };
    },
  };
  const { transact } = app.platform;
  const act = () => transact((tx) => noting('a')(tx), 'a', cutAtCommit);
  expect(await asAction(await newClaim(), act)).toBe('a');
  expect((await written()).map(({ name }) => name)).toEqual(['a']);
  // Without a key nothing tells which it was.
  await app.pool.query('delete from shared_tried');
  await expect(act()).rejects.toThrow(cut);
});
