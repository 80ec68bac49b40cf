import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { notFound } from '../../../platform/refusal.ts';
import { accountOf } from '../accounts/store.ts';
import { raiseAlarm, alarmIsOver } from '../alarms/raise-alarm.ts';
import { authorizationById, updateGoal, type AuthorizationRow } from '../authorizations/store.ts';
import { writeLedger } from '../books/store.ts';
import { chargebackLines } from '../rules/ledger.ts';
import { refusedRetryMs, retryAfterMs } from '../rules/next-step.ts';
import { updateRefundStop } from './record-chargeback.ts';
import { isAgainstUs, isGone } from './state.ts';
import * as store from './store.ts';
import type { ChargebackRow } from './store.ts';

const leaseMs = 2 * minuteMs;
const mostAtOnce = 10;

/**
 * A driver's loss, or its return: a part of the transfer, and the platform's fee that went back to them with
 * it.
 */
interface MovedCents {
  reversedCents: number;
  feeBackCents: number;
}

/**
 * The idempotency key of one request. The provider repeats its answer for a day under the same key, a refusal
 * too: the request after an answer has a new one.
 */
const keyFor = ({ id, keysUsed }: ChargebackRow, request: string): string =>
  keysUsed === 0 ? `${id}:${request}` : `${id}:${request}:${keysUsed}`;

/** By the clock: reverses transfers, and repeats them after a chargeback that was won. */
export async function moveDueTransfers(app: App): Promise<void> {
  const { db, clock, log } = app;
  const now = clock.now();
  const due = await store.leaseDueChargebacks(db, app.payments.provider.kind, {
    now,
    leaseEndsAt: later(now, leaseMs),
    most: mostAtOnce,
  });
  for (const row of due)
    await moveTransfer(app, row).catch((error: unknown) =>
      log.error({ err: error, chargeback: row.id }, 'the transfer of a chargeback failed'),
    );
}

async function moveTransfer(app: App, row: ChargebackRow): Promise<void> {
  const authorization =
    row.authorizationId === null ? null : await authorizationById(app.db, row.authorizationId);
  if (authorization === null || authorization.paymentId === null) return rest(app, row, { nextAt: null });
  if (row.transfer === 'toTakeBack') return reverse(app, row, authorization.paymentId);
  if (row.transfer === 'toSendAgain') return repeat(app, row, authorization);
  return rest(app, row, { nextAt: null });
}

async function reverse(app: App, row: ChargebackRow, paymentId: string): Promise<void> {
  const input = { paymentId, atMostCents: row.withdrawnCents, chargebackId: row.id };
  const ended = await app.payments.provider.reverseTransfer(input, keyFor(row, 'takeBack'));
  return ended.outcome === 'done' ? recordReversed(app, row, ended.value) : recordFailed(app, row, ended);
}

async function repeat(
  app: App,
  row: ChargebackRow,
  { driverId, bookingId, orderNumber }: AuthorizationRow,
): Promise<void> {
  const account = await accountOf(app.db, driverId, app.payments.provider.kind);
  const amountCents = row.reversedCents - row.feeBackCents;
  if (amountCents <= 0) return recordRepeated(app, row);
  if (account === null) {
    // The driver has deleted their account: an admin decides what becomes of their part.
    const trouble = 'account_missing';
    await app.transact('repeat transfer', (tx) =>
      raiseAlarm(app, tx, { kind: 'transferRefused', about: row.id, detail: `${trouble} · ${orderNumber}` }),
    );
    return rest(app, row, { trouble, nextAt: null });
  }
  const ended = await app.payments.provider.repeatTransfer(
    { accountId: account.accountId, amountCents, chargebackId: row.id, bookingId },
    keyFor(row, 'sendAgain'),
  );
  return ended.outcome === 'done' ? recordRepeated(app, row) : recordFailed(app, row, ended);
}

async function rest(app: App, { id, transfer }: ChargebackRow, set: Partial<ChargebackRow>): Promise<void> {
  await app.transact('postpone transfer', async (tx) => {
    const locked = await store.lockChargeback(tx, id);
    // It may have been decided meanwhile: then something else is due.
    if (locked.transfer === transfer) await store.saveChargeback(tx, id, set);
  });
}

async function recordFailed(
  app: App,
  row: ChargebackRow,
  ended: { outcome: string; code?: string; message?: string },
): Promise<void> {
  const now = app.clock.now();
  if (ended.outcome !== 'refused') {
    app.log.warn({ chargeback: row.id, trouble: ended.message }, 'the card provider does not answer');
    return rest(app, row, { trouble: null, nextAt: later(now, retryAfterMs(row.attempts)) });
  }
  const pauseMs = refusedRetryMs(row.attempts);
  const trouble = ended.code ?? 'unknown';
  await app.transact('record failed', (tx) =>
    raiseAlarm(app, tx, { kind: 'transferRefused', about: row.id, detail: trouble }),
  );
  await rest(app, row, {
    trouble,
    keysUsed: row.keysUsed + 1,
    nextAt: pauseMs === null ? null : later(now, pauseMs),
  });
}

const recordReversed = (app: App, asked: ChargebackRow, cents: MovedCents): Promise<void> =>
  recordMoved(app, asked, {
    what: 'charged back',
    cents,
    next: (row) => ({
      ...cents,
      // Won in the meantime: the transfer is repeated at once.
      ...(isAgainstUs(row.state)
        ? { transfer: 'takenBack', nextAt: null }
        : { transfer: 'toSendAgain', nextAt: app.clock.now() }),
    }),
  });

const recordRepeated = (app: App, asked: ChargebackRow): Promise<void> =>
  recordMoved(app, asked, {
    what: 'sent again',
    cents: asked,
    next: (row) =>
      // The bank has taken the money again in the meantime: the transfer is reversed at once.
      isGone(row)
        ? { transfer: 'toTakeBack', nextAt: app.clock.now() }
        : { transfer: 'sentAgain', nextAt: null },
  });

/**
 * Writes that a transfer was reversed or repeated: its chargeback, its authorization, and its entry in the
 * ledger.
 * @param asked the chargeback as it was when the provider was asked; what another process has recorded
 *   already is left alone.
 */
async function recordMoved(
  app: App,
  asked: ChargebackRow,
  move: {
    what: 'charged back' | 'sent again';
    cents: MovedCents;
    next: (row: ChargebackRow) => Partial<ChargebackRow>;
  },
): Promise<void> {
  await app.transact('record moved', async (tx) => {
    const row = await store.lockChargeback(tx, asked.id);
    if (row.keysUsed !== asked.keysUsed || row.authorizationId === null) return;
    const now = app.clock.now();
    // The next request is another one, also where it asks for the same again: a bank may change its mind more
    // than once.
    const done = { attempts: 0, trouble: null, keysUsed: row.keysUsed + 1 };
    await store.saveChargeback(tx, row.id, { ...move.next(row), ...done });
    const entry = { authorizationId: row.authorizationId, at: now, newId: randomUUID };
    await writeLedger(tx, row.provider, chargebackLines(move.what, move.cents, entry));
    const lostCents = move.cents.reversedCents - move.cents.feeBackCents;
    const chargedBackCents = move.what === 'sent again' ? 0 : lostCents;
    await updateGoal(tx, row.authorizationId, { chargedBackCents }, now);
    await updateRefundStop(app, tx, row.authorizationId);
    await alarmIsOver(app, tx, { kind: 'transferRefused', about: row.id });
  });
}

export const chargebackNotFound = () => notFound('chargeback.notFound', 'We couldn’t find this chargeback.');

/** Tries a refused transfer again. */
export const retryTransfer = ({ clock }: App, tx: Db, id: string) =>
  store.saveChargeback(tx, id, { nextAt: clock.now(), attempts: 0, trouble: null });

/**
 * Lets the passenger behind a chargeback or a warning pay by card again, in the caller's transaction. Refuses
 * `chargeback.notFound`, also where an admin has done so already.
 */
export async function clearById(
  app: App,
  tx: Db,
  adminId: string,
  id: string,
): Promise<{ authorizationId: string | null }> {
  const cleared = await store.clearChargebackOrWarning(tx, id, {
    clearedAt: app.clock.now(),
    clearedById: adminId,
  });
  if (cleared === null) throw chargebackNotFound();
  await alarmIsOver(app, tx, { kind: cleared.kind, about: id });
  return cleared;
}
