import type { OutputOf } from '#contract/define.ts';
import type { listMoney } from '#contract/payments/endpoints.ts';
import type { Chargeback, FraudWarning } from '#contract/payments/views.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn } from '../../platform/refusal.ts';
import type { IdentityService } from '../identity/service.ts';
import type { Alarms } from './alarms/service.ts';
import type { AlarmRow } from './alarms/store.ts';
import type { Books } from './books/service.ts';
import type { Chargebacks } from './chargebacks/service.ts';
import type { ChargebackRow, WarningRow } from './chargebacks/store.ts';
import * as store from './store.ts';
import type { HoldRow } from './store.ts';

const pageSize = 30;
const shown = (at: Date | null): string | null => at?.toISOString() ?? null;

type People = ReadonlyMap<string, Person>;

/** What admins see of money that went wrong, and do about it. Every deed is logged in its own transaction. */
export function createMoneyAdmin(
  { transact, clock, audit }: Platform,
  identity: IdentityService,
  { alarms, books, chargebacks }: { alarms: Alarms; books: Books; chargebacks: Chargebacks },
) {
  /** Starts what an alarm is about once more. */
  async function tryAgain(tx: Db, { kind, about }: AlarmRow): Promise<void> {
    if (kind === 'transferRefused') await chargebacks.again(tx, about);
    if (kind !== 'refundRefused') return;
    const now = clock.now();
    await store.want(tx, about, { nextAt: now, attempts: 0, trouble: null }, now);
  }

  return {
    /** Alarms, chargebacks and warnings, and whether the ledger agrees with the provider's balance. */
    async listMoney(adminId: string, offset: number): Promise<OutputOf<typeof listMoney>> {
      const [open, { rows, total }, warnings, compared] = await Promise.all([
        alarms.open(),
        chargebacks.list({ offset, size: pageSize }),
        chargebacks.openWarnings(),
        books.last(),
      ]);
      const holds = [...rows, ...warnings].flatMap(({ hold }) => hold ?? []);
      const personIds = holds.flatMap((hold) => [hold.passengerId, hold.driverId]);
      await audit.noteReading(adminId, 'money', personIds);
      const people = await identity.people(personIds);
      return {
        alarms: open.map(({ id, kind, about, detail, times, firstAt, lastAt }) => ({
          id,
          kind,
          about,
          detail,
          times,
          firstAt: firstAt.toISOString(),
          lastAt: lastAt.toISOString(),
          canRetry: kind === 'refundRefused' || kind === 'transferRefused',
        })),
        chargebacks: rows.map(({ chargeback, hold }) => viewChargeback(chargeback, hold, people)),
        total,
        warnings: warnings.map(({ warning, hold }) => viewWarning(warning, hold, people)),
        books: compared && {
          at: compared.at,
          ledgerCents: compared.ledgerCents,
          providerCents: compared.providerCents,
        },
      };
    },

    /** Ends an alarm, or starts what it is about again. Refuses `alarm.over` where that is done already. */
    async endAlarm(adminId: string, { id, again }: { id: string; again: boolean }): Promise<void> {
      await transact(async (tx) => {
        const alarm = await alarms.end(tx, id, adminId);
        if (alarm === null) throw movedOn('alarm.over', 'Another admin has done this already.');
        if (again) await tryAgain(tx, alarm);
        const note = [alarm.kind, alarm.detail].filter(Boolean).join(': ');
        await audit.note(tx, { adminId, action: 'alarm.ended', personId: null, thingId: id, note });
      });
    },

    /** Lets the passenger behind a chargeback or warning pay by card again. */
    async clearChargeback(adminId: string, { id, note }: { id: string; note: string }): Promise<void> {
      await transact(async (tx) => {
        const { holdId } = await chargebacks.clear(tx, adminId, id);
        const hold = holdId === null ? null : await store.holdById(tx, holdId);
        const action = 'chargeback.cleared';
        await audit.note(tx, {
          adminId,
          action,
          personId: hold?.passengerId ?? null,
          note: `${id}: ${note}`,
        });
      });
    },

    /** Sends in what speaks for a payment that a bank has taken back. */
    async answerChargeback(adminId: string, { id, text }: { id: string; text: string }): Promise<void> {
      await chargebacks.answer(id, text);
      await transact((tx) =>
        audit.note(tx, { adminId, action: 'chargeback.answered', personId: null, note: `${id}: ${text}` }),
      );
    },
  };
}

const rideOf = (hold: HoldRow | null, people: People) => ({
  bookingId: hold?.bookingId ?? null,
  orderNumber: hold?.orderNumber ?? '',
  passenger: (hold && people.get(hold.passengerId)) ?? null,
  driver: (hold && people.get(hold.driverId)) ?? null,
});

const viewChargeback = (row: ChargebackRow, hold: HoldRow | null, people: People): Chargeback => ({
  id: row.id,
  ...rideOf(hold, people),
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

const viewWarning = (row: WarningRow, hold: HoldRow | null, people: People): FraudWarning => ({
  id: row.id,
  ...rideOf(hold, people),
  fraudType: row.fraudType,
  at: row.at.toISOString(),
});
