import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../../app-type.ts';
import { later, secondMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { timeLimit } from '../../../platform/queue/time-limit.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { exportReadyEmail } from '../rules/emails.ts';
import type { OpenAttempt } from '../state.ts';
import { AttemptOver, leaseMs, writeArchive } from './write-archive.ts';
import * as store from './store.ts';

const mostAttempts = 3;
const tryAgainMs = 10 * secondMs;

/**
 * A round reads up to this many rows and leaves the rest to the next one: some 20 to 60 ms of the database.
 * It may read more by the rest of a table that only an index on the person leads to, which is read in one go.
 */
const rowsOfRound = 10_000;
/**
 * After this time a round goes on until `rowsInAnyCase` rows are read, and leaves the rest to the next one
 * too: rows that lie on the disk alone take several times as long.
 */
const roundMs = 100;
const rowsInAnyCase = 3000;
/** The base cost of an export, however little there is: some seventy tables are asked. */
const rowsToBegin = 2000;

/** How many rows a round may still read, and whether its time is over. */
interface Round {
  left: number;
  isLate: () => boolean;
}
const isOver = ({ left, isLate }: Round): boolean =>
  left <= 0 || (left <= rowsOfRound - rowsInAnyCase && isLate());

/**
 * Makes the exports that are due, one after another, a bounded piece of work in each round. An attempt that
 * is not done is in memory alone: with the process it is lost, and after the lease another begins from the
 * start.
 */
export async function makeExports(app: App): Promise<void> {
  const { attempts } = app.privacy;
  const round: Round = { left: rowsOfRound, isLate: timeLimit(roundMs) };
  while (!isOver(round)) {
    // Removed while in progress, so that no other round of this process continues it too.
    const next = attempts.shift() ?? (await beginNext(app, round));
    if (next === null) return;
    if (!(await goOnOrFail(app, next, round))) attempts.push(next);
  }
}

/** Begins an attempt to make the export that has waited longest; null where none is due. */
async function beginNext(app: App, round: Round): Promise<OpenAttempt | null> {
  const { db, clock } = app;
  const now = clock.now();
  for (const id of await store.dueExports(db, now)) {
    const attempt = await store.beginAttempt(db, id, { now, until: later(now, leaseMs) });
    if (attempt === null) continue;
    round.left -= rowsToBegin;
    return { attempt, archive: writeArchive(app, attempt) };
  }
  return null;
}

/**
 * Goes on until the round is over. One that fails does not block the others, and is tried again twice.
 * @returns whether the attempt is over
 */
async function goOnOrFail(app: App, going: OpenAttempt, round: Round): Promise<boolean> {
  const { log, clock, transact } = app;
  const { attempt } = going;
  try {
    return await goOn(app, going, round);
  } catch (error) {
    if (error instanceof AttemptOver) return true;
    const isLast = attempt.attempt >= mostAttempts;
    log.error({ err: error, id: attempt.id, attempt: attempt.attempt }, 'an export could not be made');
    await transact('continue export', async (tx) => {
      const nextAt = isLast ? null : later(clock.now(), tryAgainMs);
      if ((await store.endFailed(tx, attempt, nextAt)) && isLast) await tellEnd(app, tx, attempt, 'failed');
    });
    return true;
  }
}

async function goOn(app: App, { attempt, archive }: OpenAttempt, round: Round): Promise<boolean> {
  const { db, clock } = app;
  // A process that died in it has ended an attempt too.
  if (attempt.attempt > mostAttempts) throw new Error('Each attempt to make an export was cut off.');
  // Before more of a person is read: the account may have gone since the last round.
  const until = later(clock.now(), leaseMs);
  if (!(await store.goOn(db, attempt, { parts: 0, until }))) throw new AttemptOver();
  do {
    const { done, value } = await archive.next();
    if (done === true) {
      await makeReady(app, attempt, value);
      return true;
    }
    round.left -= value;
  } while (!isOver(round));
  return false;
}

async function makeReady(app: App, attempt: store.Attempt, bytes: number): Promise<void> {
  const { transact, outbox, clock } = app;
  const details = (await contactDetailsOf(app, [attempt.userId])).get(attempt.userId);
  await transact('finish export', async (tx) => {
    if (!(await store.makeReady(tx, attempt, { bytes, readyAt: clock.now() }))) return;
    await tellEnd(app, tx, attempt, 'ready');
    const until = later(attempt.askedAt, keptMs('dataExports'));
    if (details !== undefined)
      await outbox.post(tx, { to: details.email, ...exportReadyEmail(details.language, until) });
  });
}

/** Notifies the person, also in the open app. */
async function tellEnd(
  { outbox }: App,
  tx: Db,
  { id, userId }: store.Attempt,
  to: 'ready' | 'failed',
): Promise<void> {
  await outbox.emit(tx, 'export.ended', { exportId: id, userId, to }, userId);
  await outbox.tell(tx, [userId], { topic: 'profile', id: userId, news: null });
}
