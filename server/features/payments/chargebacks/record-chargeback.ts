import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { raiseAlarm, alarmIsOver } from '../alarms/raise-alarm.ts';
import {
  authorizationByPayment,
  lockAuthorization,
  updateGoal,
  type AuthorizationRow,
} from '../authorizations/store.ts';
import type { ProviderChargeback, ProviderFraudWarning } from '../provider/chargeback-calls.ts';
import { isAgainstUs, isOpen, transferAfter } from './state.ts';
import * as store from './store.ts';
import type { ChargebackRow, WarningRow } from './store.ts';

/**
 * Writes the provider's state of a chargeback, and what follows from it; false, and nothing is written, where
 * another read has been stored since `seen`.
 * @param seen the chargeback as it was before the provider was asked; null where it was not known.
 */
export async function recordChargeback(
  app: App,
  seen: ChargebackRow | null,
  chargeback: ProviderChargeback,
): Promise<boolean> {
  const { db, transact, clock } = app;
  const { id, paymentId, state, openedAt, ...facts } = chargeback;
  const authorization = paymentId === null ? null : await authorizationByPayment(db, paymentId);
  const evidence =
    authorization === null || seen?.evidence != null
      ? null
      : await store.evidenceOf(db, app.ports.payments, authorization);
  return transact('record chargeback', async (tx) => {
    const now = clock.now();
    const first = { ...facts, id, paymentId, state, provider: app.payments.provider.kind, openedAt };
    const isNew = seen === null && (await store.insertChargeback(tx, first));
    const row = await store.lockChargeback(tx, id);
    if (!isNew && row.factsVersion !== seen?.factsVersion) return false;
    await store.saveChargeback(tx, id, {
      ...facts,
      paymentId,
      state,
      authorizationId: authorization?.id ?? row.authorizationId,
      evidence: row.evidence ?? evidence,
      ...transferOf(row, chargeback, { authorization, now }),
      closedAt: isOpen(state) ? null : (row.closedAt ?? now),
      factsVersion: row.factsVersion + 1,
    });
    if (authorization !== null) await updateRefundStop(app, tx, authorization.id);
    const alarm = { kind: 'chargeback', about: id } as const;
    if (isAgainstUs(state) && (isNew || !isAgainstUs(row.state)))
      await raiseAlarm(app, tx, { ...alarm, detail: detailOf(chargeback, authorization?.orderNumber) });
    if (!isAgainstUs(state)) await alarmIsOver(app, tx, alarm);
    return true;
  });
}

/** The next state of the driver's part; it is due at once where that differs from before. */
function transferOf(
  row: ChargebackRow,
  chargeback: ProviderChargeback,
  { authorization, now }: { authorization: AuthorizationRow | null; now: Date },
): Partial<ChargebackRow> {
  const wasAsked = row.attempts > 0 && row.trouble === null;
  const transfer = authorization === null ? row.transfer : transferAfter(row.transfer, chargeback, wasAsked);
  const isDue = transfer === 'toTakeBack' || transfer === 'toSendAgain';
  if (!isDue || transfer === row.transfer) return { transfer };
  return { transfer, nextAt: now, attempts: 0, trouble: null };
}

/**
 * Writes on an authorization whether anything of it may be refunded; a refund that waited for that goes on.
 */
export async function updateRefundStop({ clock }: App, tx: Db, authorizationId: string): Promise<void> {
  const before = await lockAuthorization(tx, authorizationId);
  if (before === null) return;
  const isChargedBack = await store.isChargedBack(tx, authorizationId);
  if (before.isChargedBack === isChargedBack) return;
  const now = clock.now();
  await updateGoal(tx, authorizationId, { isChargedBack, nextAt: now, attempts: 0 }, now);
}

const detailOf = (chargeback: ProviderChargeback, orderNumber?: string): string =>
  [
    orderNumber,
    `$${(chargeback.amountCents / 100).toFixed(2)}`,
    chargeback.reason,
    chargeback.evidenceDueAt?.toISOString().slice(0, 10),
  ]
    .filter(Boolean)
    .join(' · ');

/** Maximum reads of a chargeback or a warning while other reads of it overtake. */
const mostReads = 5;

/**
 * Reads a chargeback that an event is about; a read that another has overtaken is made again.
 * @throws Error where the provider does not answer.
 */
export async function readChargeback(app: App, id: string): Promise<void> {
  for (let reads = 0; reads < mostReads; reads++) {
    const seen = await store.chargebackById(app.db, id);
    const read = await app.payments.provider.chargeback(id);
    if (read.outcome !== 'done') throw new Error(`the dispute ${id} is ${read.outcome}`);
    if (await recordChargeback(app, seen, read.value)) return;
  }
  throw new Error(`other reads of the dispute ${id} overtook each of ${mostReads}`);
}

/**
 * Reads a fraud warning that an event is about; a read that another has overtaken is made again.
 * @throws Error where the provider does not answer.
 */
export async function readWarning(app: App, id: string): Promise<void> {
  for (let reads = 0; reads < mostReads; reads++) {
    const seen = await store.warningById(app.db, id);
    const read = await app.payments.provider.fraudWarning(id);
    if (read.outcome !== 'done') throw new Error(`the warning ${id} is ${read.outcome}`);
    if (await recordWarning(app, seen, read.value)) return;
  }
  throw new Error(`other reads of the warning ${id} overtook each of ${mostReads}`);
}

/** Writes the provider's state of a fraud warning; false where another read has been stored since `seen`. */
async function recordWarning(
  app: App,
  seen: WarningRow | null,
  { fraudType, paymentId, ...warning }: ProviderFraudWarning,
): Promise<boolean> {
  const authorization = paymentId === null ? null : await authorizationByPayment(app.db, paymentId);
  return app.transact('record warning', async (tx) => {
    const authorizationId = authorization?.id ?? seen?.authorizationId ?? null;
    const own = { ...warning, fraudType, paymentId, provider: app.payments.provider.kind, authorizationId };
    if (!(await store.saveWarning(tx, own, seen))) return false;
    const alarm = { kind: 'fraudWarning', about: warning.id } as const;
    const detail = [authorization?.orderNumber, fraudType].filter(Boolean).join(' · ');
    if (seen === null && warning.isActionable) await raiseAlarm(app, tx, { ...alarm, detail });
    if (!warning.isActionable) await alarmIsOver(app, tx, alarm);
    return true;
  });
}

/**
 * By the clock: reads again what was first seen while its payment was not known here, once the payment is, so
 * that its passenger and its transfer are known.
 */
export async function readWithoutPayment(app: App): Promise<void> {
  const { chargebackIds, warningIds } = await store.withPaymentKnownSince(app.db, app.payments.provider.kind);
  const reads = [
    ...chargebackIds.map((id) => ({ id, read: readChargeback })),
    ...warningIds.map((id) => ({ id, read: readWarning })),
  ];
  for (const { id, read } of reads)
    await read(app, id).catch((error: unknown) =>
      app.log.error({ err: error, about: id }, 'what a bank says of a payment could not be read again'),
    );
}
