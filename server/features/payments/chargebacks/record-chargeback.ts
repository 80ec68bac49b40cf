import type { Db } from '../../../platform/database/db.ts';
import {
  authorizationByPayment,
  lockAuthorization,
  updateGoal,
  type AuthorizationRow,
} from '../authorizations/store.ts';
import type { ProviderChargeback } from '../provider/chargeback-calls.ts';
import type { ChargebackContext } from './context.ts';
import { isAgainstUs, isOpen, transferAfter } from './state.ts';
import * as store from './store.ts';
import type { ChargebackRow } from './store.ts';

/** Writes what the provider says of a chargeback, and what follows from it. */
export async function recordChargeback(
  { platform, records, provider, alarms }: ChargebackContext,
  chargeback: ProviderChargeback,
): Promise<void> {
  const { db, transact, clock } = platform;
  const { id, paymentId, state, openedAt, ...facts } = chargeback;
  const authorization = paymentId === null ? null : await authorizationByPayment(db, paymentId);
  const evidence = authorization === null ? null : await store.evidenceOf(db, records, authorization);
  await transact(async (tx) => {
    const now = clock.now();
    const isNew = await store.insertChargeback(tx, {
      ...facts,
      id,
      paymentId,
      state,
      provider: provider.kind,
      holdId: authorization?.id ?? null,
      evidence,
      openedAt,
    });
    const row = await store.lockChargeback(tx, id);
    await store.saveChargeback(tx, id, {
      ...facts,
      paymentId,
      state,
      ...transferOf(row, chargeback, { authorization, now }),
      closedAt: isOpen(state) ? null : (row.closedAt ?? now),
    });
    if (authorization !== null) await updateRefundStop(platform, tx, authorization.id);
    const alarm = { kind: 'chargeback', about: id } as const;
    if (isAgainstUs(state) && (isNew || !isAgainstUs(row.state)))
      await alarms.raise(tx, { ...alarm, detail: detailOf(chargeback, authorization?.orderNumber) });
    if (!isAgainstUs(state)) await alarms.isOver(tx, alarm);
  });
}

/** What is to become of the driver's part; it is due at once where that is something else than before. */
function transferOf(
  row: ChargebackRow,
  chargeback: ProviderChargeback,
  { authorization, now }: { authorization: AuthorizationRow | null; now: Date },
): Partial<ChargebackRow> {
  const wasAsked = row.attempts > 0 && row.trouble === null;
  const transfer = authorization === null ? 'none' : transferAfter(row.transfer, chargeback, wasAsked);
  const isDue = transfer === 'toTakeBack' || transfer === 'toSendAgain';
  if (!isDue || transfer === row.transfer) return { transfer };
  return { transfer, nextAt: now, attempts: 0, trouble: null };
}

/**
 * Writes on an authorization whether anything of it may be refunded; a refund that waited for that goes on.
 */
export async function updateRefundStop(
  { clock }: ChargebackContext['platform'],
  tx: Db,
  authorizationId: string,
): Promise<void> {
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
