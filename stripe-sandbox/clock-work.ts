import { sql, type SQL } from 'drizzle-orm';
import { dayMs, later, minuteMs } from './clock.ts';
import type { Db } from './schema.ts';
import type { Log } from './log.ts';
import { KeptObjects, withObjects } from './kept-objects.ts';
import { meetDispute, objectTo } from './disputes.ts';
import { meetDueTime } from './payment-moves.ts';
import { addPayout, endPayout } from './payouts.ts';
import {
  accountsToPayOut,
  balanceOf,
  dueObjects,
  forgetAnswers,
  forgetEvents,
  isAnyObjectDue,
  lockBalance,
  lockClockWork,
} from './store.ts';
import { secondsOf, objectOf, type Call } from './objects.ts';

const mostAtOnce = 50;
const keysLiveMs = dayMs;
const eventsLiveMs = 30 * dayMs;

type CallOf = (objects: KeptObjects, given?: Partial<Call>) => Call;

/**
 * What the clock does on its own. Each time: holds expire, debits and payouts arrive, banks object. Once a
 * minute: what verified accounts have earned is paid out, and old answers and events are forgotten. Each
 * round is one transaction of one process; what it does not reach is done by the next.
 */
export function createClockWork(db: Db, callOf: CallOf, log: Log) {
  let roundAtMs = -Infinity;
  // A clock that went back begins again.
  const isMinuteOver = (now: Date) => Math.abs(now.getTime() - roundAtMs) >= minuteMs;

  async function meetDue(tx: Db, now: Date): Promise<void> {
    for (const row of await dueObjects(tx, now, mostAtOnce)) {
      // One object that fails is tried again next time and does not hold up the others.
      await tx
        .transaction((inner) =>
          withObjects(inner, async (objects) => {
            const call = callOf(objects, { account: row.account });
            if (row.kind === 'payment_intent') await meetDueTime(call, objectOf('payment_intent', row));
            if (row.kind === 'charge') await objectTo(call, objectOf('charge', row));
            if (row.kind === 'dispute') await meetDispute(call, objectOf('dispute', row));
            if (row.kind === 'payout') await endPayout(call, objectOf('payout', row));
          }),
        )
        .catch((error: unknown) => log.error({ err: error, id: row.id }, 'test money missed its time'));
    }
  }

  async function payOut(tx: Db, now: Date): Promise<void> {
    for (const account of await accountsToPayOut(tx, secondsOf(now), mostAtOnce)) {
      await lockBalance(tx, account);
      const { availableCents } = await balanceOf(tx, account, secondsOf(now));
      if (availableCents > 0)
        await withObjects(tx, async (objects) =>
          addPayout(callOf(objects, { account }), availableCents, true),
        );
    }
  }

  async function work(): Promise<void> {
    const roundAt = await db.transaction(async (tx) => {
      if (!(await lockClockWork(tx))) return null;
      const { now } = callOf(new KeptObjects(tx));
      await meetDue(tx, now);
      if (!isMinuteOver(now)) return null;
      await payOut(tx, now);
      await forgetAnswers(tx, later(now, -keysLiveMs));
      await forgetEvents(tx, secondsOf(later(now, -eventsLiveMs)));
      return now;
    });
    if (roundAt !== null) roundAtMs = roundAt.getTime();
  }

  return { work, isDue: (now: Date): SQL => sql`${isMinuteOver(now)}::boolean or ${isAnyObjectDue(now)}` };
}
