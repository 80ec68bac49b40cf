import { keptMs } from '#contract/privacy/retention.ts';
import { later, secondMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { PrivacyContext } from '../context.ts';
import { exportReadyEmail } from '../rules/emails.ts';
import { AttemptOver, leaseMs } from './archive-parts.ts';
import * as store from './store.ts';
import { writeArchive } from './write-archive.ts';

const mostAttempts = 3;
const tryAgainMs = 10 * secondMs;

/** Makes the exports that are due, one after another. */
export async function makeDue(context: PrivacyContext): Promise<void> {
  const { db, clock } = context.platform;
  for (const id of await store.dueExports(db, clock.now())) {
    const now = clock.now();
    const attempt = await store.beginAttempt(db, id, { now, until: later(now, leaseMs) });
    if (attempt !== null) await makeOrFail(context, attempt);
  }
}

/** One that fails does not block the others, and is tried again twice. */
async function makeOrFail(context: PrivacyContext, attempt: store.Attempt): Promise<void> {
  const { log, clock, transact } = context.platform;
  try {
    // A process that died in it has ended an attempt too.
    if (attempt.attempt > mostAttempts) throw new Error('Each attempt to make an export was cut off.');
    await makeReady(context, attempt, await writeArchive(context, attempt));
  } catch (error) {
    if (error instanceof AttemptOver) return;
    const isLast = attempt.attempt >= mostAttempts;
    log.error({ err: error, id: attempt.id, attempt: attempt.attempt }, 'an export could not be made');
    await transact(async (tx) => {
      const nextAt = isLast ? null : later(clock.now(), tryAgainMs);
      if ((await store.endFailed(tx, attempt, nextAt)) && isLast)
        await tellEnd(context, tx, attempt, 'failed');
    });
  }
}

async function makeReady(context: PrivacyContext, attempt: store.Attempt, bytes: number): Promise<void> {
  const { identity, platform } = context;
  const { transact, outbox, clock } = platform;
  const details = (await identity.contactDetails([attempt.userId])).get(attempt.userId);
  await transact(async (tx) => {
    if (!(await store.makeReady(tx, attempt, { bytes, readyAt: clock.now() }))) return;
    await tellEnd(context, tx, attempt, 'ready');
    const until = later(attempt.askedAt, keptMs('dataExports'));
    if (details !== undefined)
      await outbox.post(tx, { to: details.email, ...exportReadyEmail(details.language, until) });
  });
}

/** Notifies the person, also in the open app. */
async function tellEnd(
  { platform: { outbox } }: PrivacyContext,
  tx: Db,
  { id, userId }: store.Attempt,
  to: 'ready' | 'failed',
): Promise<void> {
  await outbox.emit(tx, 'export.ended', { exportId: id, userId, to }, userId);
  await outbox.tell(tx, [userId], { topic: 'profile', id: userId, news: null });
}
