import { randomUUID } from 'node:crypto';
import type { PaymentKind, PaymentState } from '#contract/payments/views.ts';
import type { Base } from '../../base/base.ts';
import { hourMs, later, minuteMs, secondMs } from '../../base/clock.ts';
import type { Db } from '../../base/db.ts';
import type { Cards } from './cards.ts';
import type { CardProvider, Payment } from './card-provider.ts';
import type { Outcome } from './outcomes.ts';
import { feeOf } from './rules/fees.ts';
import { ledgerLines } from './rules/ledger.ts';
import {
  holdAt,
  isSecured,
  lookAgainMs,
  needOf,
  nextStep,
  refundDue,
  retryAfterMs,
  type Step,
} from './rules/next-step.ts';
import * as store from './store.ts';
import type { HoldRow } from './store.ts';
import type { Terms } from './terms.ts';

/** What a payment is for: one booking, as its two sides agreed on it. */
export interface PaidBooking {
  bookingId: string;
  rideId: string;
  requestId: string;
  passengerId: string;
  driverId: string;
  orderNumber: string;
  fromName: string;
  toName: string;
  rideAt: Date;
  timeZone: string;
  seats: number;
}

export type Holds = ReturnType<typeof createHolds>;

/** The passenger has said yes, or taken another card, and the provider is being asked, or is about to be. */
const awaitsConfirm = ({ goal, state, paymentId, cardId }: HoldRow) =>
  goal !== 'release' && state === 'requires_confirmation' && paymentId !== null && cardId !== null;

/** What a look says of a payment meanwhile: an earlier refusal says nothing of the try that is on its way. */
const stateMeanwhile = ({ state }: Payment): PaymentState =>
  state === 'requires_payment_method' ? 'requires_confirmation' : state;

/** Whoever works on a hold has it for so long; after that a process that died is taken to have died. */
const leaseMs = 2 * minuteMs;
const stuckRetryMs = hourMs;
const mostSteps = 8;
const sideBySide = 4;

/**
 * The life of holds. What is wanted is written in the transactions of those who want it (`plan`, `settle`, `release`); what
 * the provider is asked happens afterwards (`work`, `workOn`), each step with a key of its own, so that a crash or a lost
 * answer repeats a step without doing it twice; and what the provider says is written with its lines in the ledger
 * (`adopt`), whoever heard it: the answer itself, a webhook, or a look.
 */
export function createHolds(base: Base, provider: CardProvider, cards: Cards, terms: Terms) {
  const { db, transact, clock, log, outbox, env } = base;
  const placedAt = (rideAt: Date) => holdAt(rideAt, env.HOLD_DAYS, clock.now());
  const returnUrl = (hold: HoldRow) =>
    `${env.publicUrl}/pages/order/detail?id=${hold.requestId}&payment=back`;

  const of = ({ id, bookingId, rideId, requestId, passengerId, driverId }: HoldRow) => ({
    holdId: id,
    bookingId,
    rideId,
    requestId,
    passengerId,
    driverId,
  });

  async function tell(tx: Db, before: HoldRow | null, after: HoldRow): Promise<void> {
    if (!after.isCurrent) return;
    const who = of(after);
    if (before?.state !== after.state || before.takenCents !== after.takenCents)
      await outbox.emit(tx, 'payment.moved', { ...who, state: after.state }, after.bookingId);
    const need = needOf(after);
    if (need !== null && (before === null || needOf(before) !== need))
      await outbox.emit(tx, 'payment.needed', { ...who, need }, after.bookingId);
    if (after.takenCents > (before?.takenCents ?? 0))
      await outbox.emit(tx, 'payment.captured', { ...who, amountCents: after.takenCents }, after.bookingId);
  }

  /**
   * Writes what the provider says; null when something newer has been written since `factsVersion` was read.
   * @param answeredTry of `tries`, the one that it answers; null where it is just anybody's look.
   */
  async function adopt(
    id: string,
    factsVersion: number,
    payment: Payment,
    answeredTry: number | null,
  ): Promise<HoldRow | null> {
    return transact(async (tx) => {
      const before = await store.lockHold(tx, id);
      if (before === null || before.factsVersion !== factsVersion) return null;
      const now = clock.now();
      const { heldCents, takenCents, refundedCents, feeCents } = payment;
      const facts = { heldCents, takenCents, refundedCents, feeCents: takenCents === 0 ? 0 : feeCents };
      await store.writeLedger(tx, ledgerLines(before, facts, { holdId: id, at: now, newId: randomUUID }));
      const isWaiting = awaitsConfirm(before) && answeredTry !== before.tries;
      const state = isWaiting ? stateMeanwhile(payment) : payment.state;
      const after = await store.know(
        tx,
        id,
        {
          ...facts,
          paymentId: payment.id,
          state,
          takenAt: takenCents > 0 ? (before.takenAt ?? now) : null,
          holdEndsAt: payment.holdEndsAt,
          actionUrl: payment.actionUrl,
          declineCode: state === 'requires_payment_method' ? payment.declineCode : null,
          trouble: null,
        },
        now,
      );
      await tell(tx, before, after);
      return after;
    });
  }

  /**
   * Reads a payment from the provider and writes it. Null while the provider does not answer.
   * @param answeredTry see `adopt`.
   */
  async function look(hold: HoldRow, answeredTry: number | null = null): Promise<HoldRow | null> {
    for (let row = hold, tries = 0; row.paymentId !== null && tries < 5; tries++) {
      const read = await provider.payment(row.paymentId);
      if (!('value' in read) || read.value === null) return null;
      const known = await adopt(row.id, row.factsVersion, read.value, answeredTry);
      if (known !== null) return known;
      row = (await store.holdById(db, row.id)) ?? row;
    }
    return null;
  }

  /** The bank or the provider says no before there is a payment to read. */
  async function refused(hold: HoldRow, code: string): Promise<HoldRow> {
    return transact(async (tx) => {
      const before = (await store.lockHold(tx, hold.id))!;
      const set = { state: 'requires_payment_method', declineCode: code, trouble: code } as const;
      const after = await store.know(tx, hold.id, set, clock.now());
      await tell(tx, before, after);
      return after;
    });
  }

  /** Puts a new hold in the place of one that can serve no more; what is left of the old one is let go. */
  async function replace(tx: Db, old: HoldRow, set: Partial<HoldRow>): Promise<HoldRow> {
    const now = clock.now();
    await store.want(tx, old.id, { isCurrent: false, goal: 'release', nextAt: now, attempts: 0 }, now);
    const card = await cards.toPayWith(tx, old.passengerId, old.rideAt);
    const fresh = await store.insertHold(tx, {
      ...freshOf(old),
      provider: provider.kind,
      state: card === null ? 'requires_payment_method' : 'requires_confirmation',
      cardId: card?.id ?? null,
      cardLabel: card === null ? '' : labelOf(card),
      isPresent: false,
      nextAt: card === null ? null : placedAt(old.rideAt),
      createdAt: now,
      updatedAt: now,
      ...set,
      id: randomUUID(),
    });
    await tell(tx, null, fresh);
    return fresh;
  }

  /** Asks the provider for one step, and writes what came of it. Null: nothing is known, the step is repeated later. */
  async function perform(hold: HoldRow, step: Exclude<Step, null>): Promise<HoldRow | null> {
    if (step === 'look') return look(hold);
    if (step === 'askAnew') {
      const fresh = await transact(async (tx) => {
        const row = await store.lockHold(tx, hold.id);
        if (row === null || !row.isCurrent || row.goal === 'release' || row.state !== 'canceled') return null;
        return replace(tx, row, {
          amountCents: row.goal === 'take' ? Math.max(1, row.takeCents) : row.amountCents,
        });
      });
      return fresh === null ? null : ((await store.holdById(db, hold.id)) ?? null);
    }
    if (step === 'letGo' && hold.paymentId === null)
      return transact(async (tx) => {
        const before = (await store.lockHold(tx, hold.id))!;
        if (before.isAsked) return before;
        const after = await store.know(tx, hold.id, { state: 'canceled' }, clock.now());
        await tell(tx, before, after);
        return after;
      });
    if (step === 'giveBack') {
      const dueCents = refundDue(hold);
      const given = await provider.refund(
        {
          paymentId: hold.paymentId!,
          amountCents: dueCents - hold.refundedCents,
          metadata: { booking: hold.bookingId },
        },
        `${hold.id}:refund:${dueCents}`,
      );
      return given.outcome === 'done' ? look(hold) : settled(hold, given);
    }
    return settled(hold, await ask(hold, step));
  }

  async function ask(hold: HoldRow, step: 'ask' | 'confirm' | 'take' | 'letGo'): Promise<Outcome<Payment>> {
    const { paymentId } = hold;
    if (step === 'letGo') return provider.release(paymentId!, `${hold.id}:release`);
    if (step === 'take') {
      const amountCents = hold.takeCents;
      const feeCents = feeOf(amountCents, terms.fees);
      return provider.capture(
        { paymentId: paymentId!, amountCents, feeCents },
        `${hold.id}:take:${amountCents}`,
      );
    }
    if (step === 'confirm')
      return provider.confirm(
        { paymentId: paymentId!, cardId: hold.cardId!, returnUrl: returnUrl(hold) },
        `${hold.id}:confirm:${hold.tries}`,
      );
    const [customerId, account] = await Promise.all([
      store.payerOf(db, hold.passengerId, provider.kind),
      store.accountOf(db, hold.driverId, provider.kind),
    ]);
    if (customerId === null || account === null)
      return { outcome: 'refused', code: 'account_missing', message: 'The driver cannot be paid.' };
    return provider.hold(
      {
        customerId,
        cardId: hold.cardId!,
        amountCents: hold.amountCents,
        accountId: account.accountId,
        isPresent: hold.isPresent,
        returnUrl: returnUrl(hold),
        description: `Sameway ${hold.orderNumber}`,
        metadata: { booking: hold.bookingId, hold: hold.id },
      },
      `${hold.id}:hold`,
    );
  }

  /** Writes how a step ended. */
  async function settled(hold: HoldRow, ended: Outcome<unknown>): Promise<HoldRow | null> {
    if (ended.outcome === 'unavailable') {
      log.warn({ holdId: hold.id, trouble: ended.message }, 'the card provider does not answer');
      return null;
    }
    const payment = 'value' in ended ? (ended.value as Payment | null) : null;
    if (payment !== null) {
      const known = await adopt(hold.id, hold.factsVersion, payment, hold.tries);
      return known ?? look((await store.holdById(db, hold.id)) ?? hold);
    }
    const code = 'code' in ended ? ended.code : 'unknown';
    if (hold.paymentId === null) return refused(hold, code);
    // It will not do this as things stand there: what stands there decides what is next.
    log.error({ holdId: hold.id, code }, 'the card provider refuses');
    const now = await look(hold, hold.tries);
    return now?.factsVersion === hold.factsVersion + 1 && now.state === hold.state ? null : now;
  }

  /** Notes that the provider is about to be asked, and with what: the same is asked again if its answer is lost. */
  async function beforeAsking(hold: HoldRow): Promise<HoldRow> {
    if (hold.isAsked) return hold;
    const card = (await cards.known(db, hold.passengerId)).find(({ id }) => id === hold.cardId);
    return transact(async (tx) => {
      const row = (await store.lockHold(tx, hold.id))!;
      if (row.isAsked || row.goal === 'release') return row;
      return store.know(
        tx,
        hold.id,
        {
          isAsked: true,
          amountCents: row.goal === 'take' ? Math.max(1, row.takeCents) : row.amountCents,
          ...(card === undefined ? {} : { cardLabel: labelOf(card) }),
        },
        clock.now(),
      );
    });
  }

  /** Takes a hold as far as it goes. */
  async function drive(claimed: HoldRow): Promise<void> {
    let hold = claimed;
    for (let steps = 0; steps < mostSteps; steps++) {
      const now = clock.now();
      const step = hold.trouble === null || hold.goal !== 'hold' ? nextStep(hold, now) : null;
      if (step === null || (step === 'look' && steps > 0))
        return store.restHold(db, claimed, { nextAt: wakeAt(hold, now), attempts: 0 });
      const asking = step === 'ask' ? await beforeAsking(hold) : hold;
      if (step === 'ask' && !asking.isAsked) {
        // It is not wanted any more.
        hold = asking;
        continue;
      }
      const after = await perform(asking, step);
      if (after === null) {
        const pauseMs = asking.attempts > 20 ? stuckRetryMs : retryAfterMs(asking.attempts);
        return store.restHold(db, claimed, { nextAt: later(now, pauseMs), attempts: asking.attempts });
      }
      if (after.trouble !== null) {
        const nextAt = after.goal === 'hold' ? null : later(now, stuckRetryMs);
        return store.restHold(db, claimed, { nextAt, attempts: after.attempts });
      }
      hold = after;
    }
    await store.restHold(db, claimed, { nextAt: later(clock.now(), minuteMs), attempts: claimed.attempts });
  }

  async function workOnRow(hold: HoldRow): Promise<void> {
    const claimed = await store.claimHold(db, hold, later(clock.now(), leaseMs));
    if (claimed !== null) await drive(claimed);
  }

  return {
    look: (hold: HoldRow) => look(hold),
    replace,

    /** Works on everything that is due; each hold by one process at a time. */
    async work(): Promise<void> {
      const due = await store.dueHolds(db, provider.kind, clock.now());
      for (let at = 0; at < due.length; at += sideBySide)
        await Promise.all(
          due
            .slice(at, at + sideBySide)
            .map((hold) =>
              workOnRow(hold).catch((error: unknown) =>
                log.error({ err: error, id: hold.id }, 'a payment failed'),
              ),
            ),
        );
    },

    /** Works on one booking's payment at once, where something is due. */
    async workOn(bookingId: string): Promise<void> {
      const hold = await store.currentHold(db, bookingId);
      if (hold === null || hold.nextAt === null || hold.nextAt > clock.now()) return;
      await workOnRow(hold);
    },

    placedAt,
    /** Whether what a booking costs is held, or will be on a card that is saved. */
    isSecured: (hold: HoldRow) => isSecured(hold, clock.now()),

    /**
     * Plans a booking's payment: the amount is held on the passenger's card some days before the ride, or as soon as there
     * is a card. A payment that was planned before is replaced.
     */
    async plan(
      tx: Db,
      booking: PaidBooking,
      { amountCents, isPresent }: { amountCents: number; isPresent: boolean },
    ): Promise<HoldRow> {
      const now = clock.now();
      const old = await store.currentHold(tx, booking.bookingId, true);
      const card = await cards.toPayWith(tx, booking.passengerId, booking.rideAt);
      if (old !== null)
        await store.want(tx, old.id, { isCurrent: false, goal: 'release', nextAt: now, attempts: 0 }, now);
      const hold = await store.insertHold(tx, {
        id: randomUUID(),
        provider: provider.kind,
        ...booking,
        goal: 'hold',
        amountCents,
        cardId: card?.id ?? null,
        cardLabel: card === null ? '' : labelOf(card),
        isPresent,
        state: card === null ? 'requires_payment_method' : 'requires_confirmation',
        nextAt: card === null ? null : placedAt(booking.rideAt),
        createdAt: now,
        updatedAt: now,
      });
      await tell(tx, null, hold);
      return hold;
    },

    /**
     * A booking costs something else now. Less is simply taken of what is held; more needs another hold, and the passenger
     * may have to see to it.
     */
    async reprice(tx: Db, bookingId: string, amountCents: number): Promise<void> {
      const hold = await store.currentHold(tx, bookingId, true);
      if (hold === null || hold.goal !== 'hold') return;
      const now = clock.now();
      if (amountCents === 0) {
        await store.want(tx, hold.id, { isCurrent: false, goal: 'release', nextAt: now, attempts: 0 }, now);
      } else if (!hold.isAsked) await store.want(tx, hold.id, { amountCents }, now);
      else if (amountCents > hold.amountCents) await replace(tx, hold, { amountCents });
    },

    /** It is known what a booking costs: take so much from `takeAt` on, and let the rest go. Nothing where nothing is paid. */
    async settle(
      tx: Db,
      bookingId: string,
      { takeCents, kind, takeAt }: { takeCents: number; kind: PaymentKind; takeAt: Date },
    ): Promise<void> {
      const hold = await store.currentHold(tx, bookingId, true);
      if (hold === null || hold.goal !== 'hold') return;
      const now = clock.now();
      const take = Math.min(takeCents, hold.amountCents);
      const set =
        take === 0
          ? ({ goal: 'release', nextAt: now } as const)
          : ({ goal: 'take', takeCents: take, kind, takeAt, nextAt: takeAt > now ? takeAt : now } as const);
      await store.want(tx, hold.id, { ...set, settledAt: now, attempts: 0, trouble: null }, now);
    },

    /** A driver can be paid again: what was refused for want of it is asked for anew. */
    async askAnewFor(driverId: string): Promise<void> {
      await transact(async (tx) => {
        for (const hold of await store.holdsWithoutAccount(tx, driverId)) await replace(tx, hold, {});
      });
    },

    /** A booking goes on after all: what was settled of it is undone, and what has been let go is held anew. */
    async resume(tx: Db, bookingId: string, amountCents: number): Promise<void> {
      const hold = await store.currentHold(tx, bookingId, true);
      if (hold === null || hold.goal === 'hold' || hold.takenCents > 0) return;
      const now = clock.now();
      const undone = {
        goal: 'hold',
        kind: 'fare',
        takeCents: 0,
        takeAt: null,
        settledAt: null,
        refundGoalCents: 0,
      } as const;
      if (hold.goal === 'take') await store.want(tx, hold.id, { ...undone, nextAt: now, attempts: 0 }, now);
      else if (amountCents > 0) await replace(tx, hold, { ...undone, amountCents });
    },
  };
}

/** What a hold in the place of another begins with. */
function freshOf(
  old: HoldRow,
): Omit<store.NewHold, 'id' | 'provider' | 'state' | 'isPresent' | 'createdAt' | 'updatedAt'> {
  return {
    bookingId: old.bookingId,
    rideId: old.rideId,
    requestId: old.requestId,
    passengerId: old.passengerId,
    driverId: old.driverId,
    orderNumber: old.orderNumber,
    fromName: old.fromName,
    toName: old.toName,
    rideAt: old.rideAt,
    timeZone: old.timeZone,
    seats: old.seats,
    kind: old.kind,
    goal: old.goal,
    amountCents: old.amountCents,
    takeCents: old.takeCents,
    takeAt: old.takeAt,
    settledAt: old.settledAt,
    refundGoalCents: old.refundGoalCents,
  };
}

/** When a hold that rests is looked at again; null: not before something else is wanted. */
function wakeAt(hold: HoldRow, now: Date): Date | null {
  if (hold.state === 'processing' || hold.state === 'requires_action') return later(now, lookAgainMs);
  if (hold.state === 'succeeded' || hold.state === 'canceled') return null;
  if (hold.goal === 'take' && hold.takeAt !== null && hold.takeAt > now) return hold.takeAt;
  if (hold.goal === 'hold' && hold.state === 'requires_capture' && hold.holdEndsAt !== null)
    return later(hold.holdEndsAt, 10 * secondMs);
  return null;
}

export const labelOf = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${brand} •••• ${last4}`;
