import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { raiseAlarm, alarmIsOver } from '../alarms/raise-alarm.ts';
import {
  authorizationByPayment,
  lockAuthorization,
  updateGoal,
  type AuthorizationRow,
} from '../authorizations/store.ts';
import type { ProviderChargeback } from '../provider/chargeback-calls.ts';
import { isAgainstUs, isOpen, transferAfter } from './state.ts';
import * as store from './store.ts';
import type { ChargebackRow } from './store.ts';

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
