import { randomUUID } from 'node:crypto';
import type { Platform } from '../../../platform/platform.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, notFound, Refusal } from '../../../platform/refusal.ts';
import type { Alarms } from '../alarms/service.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import type { ProviderDispute } from '../provider/chargeback-calls.ts';
import { chargebackLines } from '../rules/ledger.ts';
import { refusedRetryMs, retryAfterMs } from '../rules/next-step.ts';
import * as holdStore from '../store.ts';
import { isAgainstUs, isOpen, transferAfter } from './state.ts';
import * as store from './store.ts';
import type { ChargebackRow } from './store.ts';

export type Chargebacks = ReturnType<typeof createChargebacks>;

const leaseMs = 2 * minuteMs;
const mostAtOnce = 10;

/** The idempotency key of one ask. The provider repeats a refusal for a day under the same key: each ask after one has a new key. */
const keyFor = ({ id, keysUsed }: ChargebackRow, ask: string): string =>
  keysUsed === 0 ? `${id}:${ask}` : `${id}:${ask}:${keysUsed}`;

const missing = () => notFound('chargeback.notFound', 'This chargeback could not be found.');

/**
 * What banks take back after a payment, and what they warn of: read when the provider tells of it, shown to the admins. While
 * the money is the bank's, nothing is given back on top, the driver's part comes back, and the passenger pays no new ride by card
 * (decision 0031).
 */
export function createChargebacks(
  { db, transact, clock, log }: Platform,
  provider: CardProvider,
  alarms: Alarms,
) {
  /** Writes what the provider says of a dispute, and what follows from it. */
  async function adopt(dispute: ProviderDispute): Promise<void> {
    const hold = dispute.paymentId === null ? null : await holdStore.holdByPayment(db, dispute.paymentId);
    const evidence = hold === null ? null : await store.evidenceOf(db, hold);
    const { openedAt, ...facts } = dispute;
    await transact(async (tx) => {
      const now = clock.now();
      const isNew = await store.insertChargeback(tx, {
        ...facts,
        provider: provider.kind,
        holdId: hold?.id ?? null,
        evidence,
        openedAt,
      });
      const row = await store.lockChargeback(tx, dispute.id);
      const transfer =
        hold === null
          ? 'none'
          : transferAfter(row.transfer, dispute, row.attempts > 0 && row.trouble === null);
      const isDue = transfer === 'toTakeBack' || transfer === 'toSendAgain';
      await store.saveChargeback(tx, row.id, {
        ...facts,
        transfer,
        ...(isDue && transfer !== row.transfer ? { nextAt: now, attempts: 0, trouble: null } : {}),
        closedAt: isOpen(dispute.state) ? null : (row.closedAt ?? now),
      });
      if (hold !== null) await stopRefunds(tx, hold.id);
      const alarm = { kind: 'chargeback', about: row.id } as const;
      if (isNew && isAgainstUs(dispute.state))
        await alarms.raise(tx, { ...alarm, detail: detailOf(dispute, hold?.orderNumber) });
      if (!isAgainstUs(dispute.state)) await alarms.isOver(tx, alarm);
    });
  }

  /** Notes on a hold whether anything may be given back of it; what waited for that goes on. */
  async function stopRefunds(tx: Db, holdId: string): Promise<void> {
    const before = await holdStore.lockHold(tx, holdId);
    if (before === null) return;
    const isChargedBack = await store.isChargedBack(tx, holdId);
    if (before.isChargedBack === isChargedBack) return;
    const now = clock.now();
    await holdStore.want(tx, holdId, { isChargedBack, nextAt: now, attempts: 0 }, now);
  }

  async function work(row: ChargebackRow): Promise<void> {
    const hold = row.holdId === null ? null : await holdStore.holdById(db, row.holdId);
    if (hold === null || hold.paymentId === null) return rest(row, { nextAt: null });
    if (row.transfer === 'toTakeBack') {
      const input = { paymentId: hold.paymentId, atMostCents: row.withdrawnCents, disputeId: row.id };
      const ended = await provider.takeBackTransfer(input, keyFor(row, 'takeBack'));
      if (ended.outcome === 'done') return takenBack(row.id, ended.value);
      return failed(row, ended);
    }
    if (row.transfer !== 'toSendAgain') return rest(row, { nextAt: null });
    const account = await holdStore.accountOf(db, hold.driverId, provider.kind);
    const amountCents = row.reversedCents - row.feeBackCents;
    if (amountCents <= 0) return sentAgain(row.id);
    if (account === null) return rest(row, { nextAt: null });
    const ended = await provider.sendAgain(
      { accountId: account.accountId, amountCents, disputeId: row.id, bookingId: hold.bookingId },
      keyFor(row, 'sendAgain'),
    );
    return ended.outcome === 'done' ? sentAgain(row.id) : failed(row, ended);
  }

  async function rest({ id, transfer }: ChargebackRow, set: Partial<ChargebackRow>): Promise<void> {
    await transact(async (tx) => {
      const locked = await store.lockChargeback(tx, id);
      // It may have been decided meanwhile: then something else is due.
      if (locked.transfer === transfer) await store.saveChargeback(tx, id, set);
    });
  }

  async function failed(
    row: ChargebackRow,
    ended: { outcome: string; code?: string; message?: string },
  ): Promise<void> {
    const now = clock.now();
    if (ended.outcome !== 'refused') {
      log.warn({ chargeback: row.id, trouble: ended.message }, 'the card provider does not answer');
      return rest(row, { trouble: null, nextAt: later(now, retryAfterMs(row.attempts)) });
    }
    const pauseMs = refusedRetryMs(row.attempts);
    const trouble = ended.code ?? 'unknown';
    await transact((tx) => alarms.raise(tx, { kind: 'transferRefused', about: row.id, detail: trouble }));
    await rest(row, {
      trouble,
      keysUsed: row.keysUsed + 1,
      nextAt: pauseMs === null ? null : later(now, pauseMs),
    });
  }

  async function takenBack(
    id: string,
    cents: { reversedCents: number; feeBackCents: number },
  ): Promise<void> {
    await moved(id, 'charged back', cents, (row) => ({
      ...cents,
      // Won in the meantime: it goes the way back at once.
      ...(isAgainstUs(row.state)
        ? { transfer: 'takenBack', nextAt: null }
        : { transfer: 'toSendAgain', nextAt: clock.now() }),
    }));
  }

  async function sentAgain(id: string): Promise<void> {
    await moved(id, 'sent again', null, () => ({ transfer: 'sentAgain', nextAt: null }));
  }

  /** Writes that a transfer went one way or the other: its chargeback, its hold, and its entry in the ledger. */
  async function moved(
    id: string,
    what: 'charged back' | 'sent again',
    given: { reversedCents: number; feeBackCents: number } | null,
    next: (row: ChargebackRow) => Partial<ChargebackRow>,
  ): Promise<void> {
    await transact(async (tx) => {
      const row = await store.lockChargeback(tx, id);
      const isDone = what === 'charged back' ? row.transfer === 'takenBack' : row.transfer === 'sentAgain';
      if (isDone || row.holdId === null) return;
      const now = clock.now();
      const cents = given ?? row;
      await store.saveChargeback(tx, id, { ...next(row), attempts: 0, trouble: null });
      const entry = { holdId: row.holdId, at: now, newId: randomUUID };
      await holdStore.writeLedger(tx, chargebackLines(what, cents, entry));
      const chargedBackCents = what === 'sent again' ? 0 : cents.reversedCents - cents.feeBackCents;
      await holdStore.want(tx, row.holdId, { chargedBackCents }, now);
      await stopRefunds(tx, row.holdId);
      await alarms.isOver(tx, { kind: 'transferRefused', about: id });
    });
  }

  return {
    /** Reads a dispute that the provider tells of. */
    async hear(disputeId: string): Promise<void> {
      const read = await provider.dispute(disputeId);
      if (read.outcome !== 'done') throw new Error(`the dispute ${disputeId} is ${read.outcome}`);
      await adopt(read.value);
    },

    /** Reads a warning that the provider tells of. */
    async hearWarning(warningId: string): Promise<void> {
      const read = await provider.fraudWarning(warningId);
      if (read.outcome !== 'done') throw new Error(`the warning ${warningId} is ${read.outcome}`);
      const { fraudType, paymentId, ...warning } = read.value;
      const hold = paymentId === null ? null : await holdStore.holdByPayment(db, paymentId);
      await transact(async (tx) => {
        const own = { ...warning, fraudType, paymentId, provider: provider.kind, holdId: hold?.id ?? null };
        const { isNew } = await store.lockWarning(tx, own);
        const alarm = { kind: 'fraudWarning', about: warning.id } as const;
        const detail = [hold?.orderNumber, fraudType].filter(Boolean).join(' · ');
        if (isNew && warning.isActionable) await alarms.raise(tx, { ...alarm, detail });
        if (!warning.isActionable) await alarms.isOver(tx, alarm);
      });
    },

    /** By the clock: takes transfers back, and sends them again after a dispute that was won. */
    async work(): Promise<void> {
      const now = clock.now();
      const due = await store.claimDue(db, provider.kind, {
        now,
        leaseEndsAt: later(now, leaseMs),
        most: mostAtOnce,
      });
      for (const row of due)
        await work(row).catch((error: unknown) =>
          log.error({ err: error, chargeback: row.id }, 'the transfer of a chargeback failed'),
        );
    },

    isBlocked: store.isBlocked,

    /** Tries a refused transfer again. */
    again: (tx: Db, id: string) =>
      store.saveChargeback(tx, id, { nextAt: clock.now(), attempts: 0, trouble: null }),

    /**
     * Sends in what speaks for a payment, once. Refuses `chargeback.notFound`, `chargeback.closed` and `payment.unavailable`.
     */
    async answer(id: string, text: string): Promise<void> {
      const row = await store.chargebackById(db, id);
      if (row === null) throw missing();
      const closed = () => movedOn('chargeback.closed', 'The bank takes no more evidence for this payment.');
      if (!['needs_response', 'warning_needs_response'].includes(row.state)) throw closed();
      const sent = await provider.answerDispute({ disputeId: id, text }, `${id}:answer`);
      if (sent.outcome === 'refused') throw closed();
      if (sent.outcome !== 'done')
        throw new Refusal(
          'payment.unavailable',
          'Card payments cannot be reached right now. Please try again.',
        );
      await adopt(sent.value);
    },

    /** Lets a passenger pay by card again. Refuses `chargeback.notFound` and `chargeback.cleared`. */
    async clear(tx: Db, adminId: string, id: string): Promise<{ holdId: string | null }> {
      const cleared = await store.clear(tx, id, { clearedAt: clock.now(), clearedById: adminId });
      if (cleared === null) throw missing();
      await alarms.isOver(tx, { kind: cleared.kind, about: id });
      return cleared;
    },

    list: (page: { offset: number; size: number }) => store.list(db, page),
    openWarnings: () => store.openWarnings(db),
  };
}

const detailOf = (dispute: ProviderDispute, orderNumber?: string): string =>
  [
    orderNumber,
    `$${(dispute.amountCents / 100).toFixed(2)}`,
    dispute.reason,
    dispute.evidenceDueAt?.toISOString().slice(0, 10),
  ]
    .filter(Boolean)
    .join(' · ');
