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

test('what a killed process was delivering is delivered by the next one that starts', async () => {
  const { db, outbox, log } = house.base;
  const letter = { to: 'somebody@example.com', subject: 'Hello', text: 'There' };
  await db.transaction((tx) => outbox.post(tx, letter));
  // As a process leaves it that dies with the letter in its hands.
  const taken = await house.pool.query(
    "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker-of-the-dead'",
  );
  expect(taken.rowCount).toBe(1);
  await outbox.start(house.pool, log);
  await expect.poll(() => db.$count(outboxLetters), { timeout: 15_000 }).toBe(1);
}, 60_000);
