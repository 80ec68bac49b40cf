import { dayMs, later } from '../../../base/clock.ts';
import type { Db } from '../../../base/db.ts';
import { meetDueTime } from './payment-moves.ts';
import { addPayout, endPayout } from './payouts.ts';
import {
  accountsToPayOut,
  balanceOf,
  dueObjects,
  forgetAnswers,
  forgetEvents,
  lockBalance,
  lockClockWork,
} from './store.ts';
import { secondsOf, type Call, type Thing } from './things.ts';

const mostAtOnce = 50;
const keysLiveMs = dayMs;
const eventsLiveMs = 30 * dayMs;

/**
 * What the clock does on its own: holds expire, debits and payouts arrive, what a verified account has earned is paid
 * out. Each round is one transaction of one process; what it does not reach is done by the next.
 */
export async function doClockWork(db: Db, callOf: (tx: Db, given?: Partial<Call>) => Call): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockClockWork(tx))) return;
    const { now } = callOf(tx);
    for (const row of await dueObjects(tx, now, mostAtOnce)) {
      const call = callOf(tx, { account: row.account });
      if (row.kind === 'payment_intent') await meetDueTime(call, row as Thing<'payment_intent'>);
      if (row.kind === 'payout') await endPayout(call, row as Thing<'payout'>);
    }
    for (const account of await accountsToPayOut(tx, secondsOf(now), mostAtOnce)) {
      await lockBalance(tx, account);
      const { availableCents } = await balanceOf(tx, account, secondsOf(now));
      if (availableCents > 0) await addPayout(callOf(tx, { account }), availableCents, true);
    }
    await forgetAnswers(tx, later(now, -keysLiveMs));
    await forgetEvents(tx, secondsOf(later(now, -eventsLiveMs)));
  });
}
