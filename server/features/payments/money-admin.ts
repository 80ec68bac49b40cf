import type { App } from '../../app-type.ts';
import type { OutputOf } from '#contract/define.ts';
import type { listMoney as listMoneyCall } from '#contract/payments/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn } from '../../platform/refusal.ts';
import type { Alarms } from './alarms/service.ts';
import type { AlarmRow } from './alarms/store.ts';
import { authorizationById, updateGoal } from './authorizations/store.ts';
import type { Books } from './books/service.ts';
import type { Chargebacks } from './chargebacks/service.ts';
import { viewAlarm, viewChargeback, viewWarning } from './money-view.ts';
import { peopleByIds } from '../identity/service.ts';

/**
 * What admins see of money that went wrong, and do about it, works with this. Every deed is logged in its own
 * transaction.
 */
export interface MoneyAdminContext {
  platform: App;
  alarms: Alarms;
  books: Books;
  chargebacks: Chargebacks;
}

const pageSize = 30;

/** Alarms, chargebacks and warnings, and whether the ledger agrees with the provider's balance. */
export async function listMoney(
  { platform, alarms, books, chargebacks }: MoneyAdminContext,
  adminId: string,
  offset: number,
): Promise<OutputOf<typeof listMoneyCall>> {
  const [open, { rows, total }, warnings, compared] = await Promise.all([
    alarms.open(),
    chargebacks.list({ offset, size: pageSize }),
    chargebacks.openWarnings(),
    books.last(),
  ]);
  const authorizations = [...rows, ...warnings].flatMap(({ authorization }) => authorization ?? []);
  const personIds = authorizations.flatMap(({ passengerId, driverId }) => [passengerId, driverId]);
  await platform.audit.noteReading(adminId, 'money', personIds);
  const people = await peopleByIds(platform, personIds);
  return {
    alarms: open.map(viewAlarm),
    chargebacks: rows.map(({ chargeback, authorization }) =>
      viewChargeback(chargeback, authorization, people),
    ),
    total,
    warnings: warnings.map(({ warning, authorization }) => viewWarning(warning, authorization, people)),
    books: compared && {
      at: compared.at,
      ledgerCents: compared.ledgerCents,
      providerCents: compared.providerCents,
      openCents: compared.openCents,
    },
  };
}

/** Ends an alarm, or starts what it is about again. Refuses `alarm.over` where that is done already. */
export async function endAlarm(
  context: MoneyAdminContext,
  adminId: string,
  { id, again }: { id: string; again: boolean },
): Promise<void> {
  const { platform, alarms } = context;
  await platform.transact(async (tx) => {
    const alarm = await alarms.end(tx, id, adminId);
    if (alarm === null) throw movedOn('alarm.over', 'Another admin already did this.');
    if (again) await tryAgain(context, tx, alarm);
    const note = [alarm.kind, alarm.detail].filter(Boolean).join(': ');
    await platform.audit.note(tx, { adminId, action: 'alarm.ended', personId: null, thingId: id, note });
  });
}

/** Starts what an alarm is about once more. */
async function tryAgain(
  { platform, chargebacks }: MoneyAdminContext,
  tx: Db,
  { kind, about }: AlarmRow,
): Promise<void> {
  if (kind === 'transferRefused') await chargebacks.again(tx, about);
  if (kind !== 'refundRefused') return;
  const now = platform.clock.now();
  await updateGoal(tx, about, { nextAt: now, attempts: 0, trouble: null }, now);
}

/** Lets the passenger behind a chargeback or warning pay by card again. */
export async function clearChargeback(
  { platform, chargebacks }: MoneyAdminContext,
  adminId: string,
  { id, note }: { id: string; note: string },
): Promise<void> {
  await platform.transact(async (tx) => {
    const { authorizationId } = await chargebacks.clear(tx, adminId, id);
    const authorization = authorizationId === null ? null : await authorizationById(tx, authorizationId);
    const personId = authorization?.passengerId ?? null;
    await platform.audit.note(tx, {
      adminId,
      action: 'chargeback.cleared',
      personId,
      note: `${id}: ${note}`,
    });
  });
}

/** Sends in what speaks for a payment that a bank has taken back. */
export async function answerChargeback(
  { platform, chargebacks }: MoneyAdminContext,
  adminId: string,
  { id, text }: { id: string; text: string },
): Promise<void> {
  await chargebacks.answer(id, text);
  const note = `${id}: ${text}`;
  await platform.transact((tx) =>
    platform.audit.note(tx, { adminId, action: 'chargeback.answered', personId: null, note }),
  );
}
