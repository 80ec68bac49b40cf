import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outboxLetters } from '../tables/house.ts';
import { openTestHouse, type TestHouse } from '../testing/house.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(async () => {
  await house.base.outbox.stop();
  await house.close();
});

test('what a killed process was delivering is delivered by the others; what one that lives delivers is left to it', async () => {
  const { db, outbox, log } = house.base;
  await outbox.start(house.pool, log);
  /** As a process leaves it that is delivering the letter, or has died with it in its hands. */
  const takenBy = (worker: string, to: string) =>
    db.transaction(async (tx) => {
      await outbox.post(tx, { to, subject: 'Hello', text: 'There' });
      await tx.execute(sql`
        update graphile_worker._private_jobs set locked_at = now() - interval '1 minute', locked_by = ${worker}
        where payload ->> 'to' = ${to}`);
    });
  const delivered = async () =>
    (await db.select().from(outboxLetters)).map(({ recipient }) => recipient).toSorted();

  const living = await house.pool.connect();
  await living.query("select pg_advisory_lock(7302004, hashtext('worker-that-lives'))");
  await takenBy('worker-that-lives', 'slow@example.com');
  await takenBy('worker-of-the-dead', 'first@example.com');
  await expect.poll(delivered, { timeout: 20_000 }).toEqual(['first@example.com']);
  living.release(true);
  await expect.poll(delivered, { timeout: 20_000 }).toEqual(['first@example.com', 'slow@example.com']);
}, 90_000);

test('whoever delivers says so again when its connection is gone', async () => {
  const { db } = house.base;
  const held = async () => {
    const { rows } = await db.execute<{ pid: number; count: string }>(
      sql`select pid, count(*) from pg_locks where locktype = 'advisory' and classid = 7302004
          and database = (select oid from pg_database where datname = current_database()) group by pid`,
    );
    return rows.map(({ pid, count }) => ({ pid, workers: Number(count) }));
  };
  await expect.poll(held).toEqual([{ pid: expect.any(Number) as number, workers: 4 }]);
  const before = await held();
  await db.execute(sql`select pg_terminate_backend(${before[0]!.pid})`);
  await expect
    .poll(async () => (await held()).filter(({ pid }) => pid !== before[0]!.pid), { timeout: 20_000 })
    .toEqual([{ pid: expect.any(Number) as number, workers: 4 }]);
}, 60_000);
