import type { OutputOf } from '#contract/define.ts';
import type { listMoney as listMoneyCall } from '#contract/payments/endpoints.ts';
import type { Chargeback, FraudWarning, PaymentAlarm } from '#contract/payments/views.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn } from '../../platform/refusal.ts';
import { peopleByIds } from '../identity/service.ts';
import { endAlarmById } from './alarms/raise-alarm.ts';
import { openAlarms, type AlarmRow } from './alarms/store.ts';
import { authorizationById, updateGoal, type AuthorizationRow } from './authorizations/store.ts';
import { retryTransfer, clearById, chargebackNotFound } from './chargebacks/move-transfer.ts';
import { recordChargeback } from './chargebacks/record-chargeback.ts';
import {
  listChargebacks,
  openWarnings,
  chargebackById,
  type ChargebackRow,
  type WarningRow,
} from './chargebacks/store.ts';
import { unavailable } from './provider/outcomes.ts';

const pageSize = 30;

/** Alarms, chargebacks and warnings, and whether the ledger agrees with the provider's balance. */
export async function listMoney(
  app: App,
  adminId: string,
  offset: number,
): Promise<OutputOf<typeof listMoneyCall>> {
  const [open, { rows, total }, warnings] = await Promise.all([
    openAlarms(app.db),
    listChargebacks(app.db, { offset, size: pageSize }),
    openWarnings(app.db),
  ]);
  const authorizations = [...rows, ...warnings].flatMap(({ authorization }) => authorization ?? []);
  const personIds = authorizations.flatMap(({ passengerId, driverId }) => [passengerId, driverId]);
  await app.audit.noteReading(adminId, 'money', personIds);
  const people = await peopleByIds(app, personIds);
  const { lastCompared } = app.payments;
  return {
    alarms: open.map(viewAlarm),
    chargebacks: rows.map(({ chargeback, authorization }) =>
      viewChargeback(chargeback, authorization, people),
    ),
    total,
    warnings: warnings.map(({ warning, authorization }) => viewWarning(warning, authorization, people)),
    books: lastCompared && {
      at: lastCompared.at,
      ledgerCents: lastCompared.ledgerCents,
      providerCents: lastCompared.providerCents,
      openCents: lastCompared.openCents,
    },
  };
}

/** Ends an alarm, or starts what it is about again. Refuses `alarm.over` where that is done already. */
export async function endAlarm(
  app: App,
  adminId: string,
  { id, again }: { id: string; again: boolean },
): Promise<void> {
  await app.transact('end alarm', async (tx) => {
    const alarm = await endAlarmById(app, tx, id, adminId);
    if (alarm === null) throw movedOn('alarm.over', 'Another admin already did this.');
    if (again) await tryAgain(app, tx, alarm);
    const note = [alarm.kind, alarm.detail].filter(Boolean).join(': ');
    await app.audit.note(tx, { adminId, action: 'alarm.ended', personId: null, thingId: id, note });
  });
}

/** Starts what an alarm is about once more. */
async function tryAgain(app: App, tx: Db, { kind, about }: AlarmRow): Promise<void> {
  if (kind === 'transferRefused') await retryTransfer(app, tx, about);
  if (kind !== 'refundRefused') return;
  const now = app.clock.now();
  await updateGoal(tx, about, { nextAt: now, attempts: 0, trouble: null }, now);
}

/** Lets the passenger behind a chargeback or warning pay by card again. */
export async function clearChargeback(
  app: App,
  adminId: string,
  { id, note }: { id: string; note: string },
): Promise<void> {
  await app.transact('clear chargeback', async (tx) => {
    const { authorizationId } = await clearById(app, tx, adminId, id);
    const authorization = authorizationId === null ? null : await authorizationById(tx, authorizationId);
    const personId = authorization?.passengerId ?? null;
    await app.audit.note(tx, {
      adminId,
      action: 'chargeback.cleared',
      personId,
      note: `${id}: ${note}`,
    });
  });
}

/** Sends in what speaks for a payment that a bank has taken back. */
export async function answerChargeback(
  app: App,
  adminId: string,
  { id, text }: { id: string; text: string },
): Promise<void> {
  await sendEvidence(app, id, text);
  const note = `${id}: ${text}`;
  await app.transact('answer chargeback', (tx) =>
    app.audit.note(tx, { adminId, action: 'chargeback.answered', personId: null, note }),
  );
}

/**
 * Sends in what speaks for a payment, once. Refuses `chargeback.notFound`, `chargeback.closed` and
 * `payment.unavailable`.
 */
async function sendEvidence(app: App, id: string, text: string): Promise<void> {
  const row = await chargebackById(app.db, id);
  if (row === null) throw chargebackNotFound();
  const closed = () => movedOn('chargeback.closed', 'The bank no longer takes evidence for this payment.');
  if (!['needs_response', 'warning_needs_response'].includes(row.state)) throw closed();
  const sent = await app.payments.provider.answerChargeback({ chargebackId: id, text }, `${id}:answer`);
  if (sent.outcome === 'refused') throw closed();
  if (sent.outcome !== 'done') throw unavailable();
  // Where another read was stored meanwhile, the provider's event about the answer causes a further read.
  await recordChargeback(app, row, sent.value);
}

type People = ReadonlyMap<string, Person>;

const shown = (at: Date | null): string | null => at?.toISOString() ?? null;

const viewAlarm = ({ id, kind, about, detail, times, firstAt, lastAt }: AlarmRow): PaymentAlarm => ({
  id,
  kind,
  about,
  detail,
  times,
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
  canRetry: kind === 'refundRefused' || kind === 'transferRefused',
});

const rideOf = (authorization: AuthorizationRow | null, people: People) => ({
  bookingId: authorization?.bookingId ?? null,
  orderNumber: authorization?.orderNumber ?? '',
  passenger: (authorization && people.get(authorization.passengerId)) ?? null,
  driver: (authorization && people.get(authorization.driverId)) ?? null,
});

const viewChargeback = (
  row: ChargebackRow,
  authorization: AuthorizationRow | null,
  people: People,
): Chargeback => ({
  id: row.id,
  ...rideOf(authorization, people),
  state: row.state,
  reason: row.reason,
  amountCents: row.amountCents,
  feeCents: row.feeCents,
  withdrawnCents: row.withdrawnCents,
  evidenceDueAt: shown(row.evidenceDueAt),
  hasEvidence: row.hasEvidence,
  evidence: row.evidence,
  openedAt: row.openedAt.toISOString(),
  closedAt: shown(row.closedAt),
  transfer: row.transfer,
  trouble: row.trouble,
  clearedAt: shown(row.clearedAt),
});

const viewWarning = (
  row: WarningRow,
  authorization: AuthorizationRow | null,
  people: People,
): FraudWarning => ({
  id: row.id,
  ...rideOf(authorization, people),
  fraudType: row.fraudType,
  at: row.at.toISOString(),
});
