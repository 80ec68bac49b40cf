import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentKind, PaymentState } from '#contract/payments/views.ts';
import type { Platform } from '../../../platform/platform.ts';
import { hourMs, later, minuteMs, secondMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Accounts } from '../accounts/service.ts';
import type { Alarms } from '../alarms/service.ts';
import { CallBudget } from '../provider/call-budget.ts';
import type { Cards } from '../cards/service.ts';
import type { CardProvider, Payment } from '../provider/card-provider.ts';
import { sentAgainOver } from '../chargebacks/store.ts';
import type { Outcome } from '../provider/outcomes.ts';
import { wantedFor } from './capture-or-waive.ts';
import { feeOf } from '../rules/fees.ts';
import { ledgerLines } from '../rules/ledger.ts';
import {
  holdAt,
  isSecured,
  accountTroubles,
  askLandsWithinMs,
  isGivenUp,
  keyLivesMs,
  lookAgainMs,
  needOf,
  nextStep,
  refundDue,
  refusedRetryMs,
  retryAfterMs,
  type Step,
} from '../rules/next-step.ts';
import * as store from '../store.ts';
import type { HoldRow } from '../store.ts';
import type { Terms } from '../terms.ts';

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

export type Authorizations = ReturnType<typeof createAuthorizations>;

/** The passenger has said yes, or taken another card, and the provider is being asked, or is about to be. */
const awaitsConfirm = ({ goal, state, paymentId, cardId }: HoldRow) =>
  goal !== 'release' && state === 'requires_confirmation' && paymentId !== null && cardId !== null;

/** What a look says of a payment meanwhile: an earlier refusal says nothing of the try that is on its way. */
const stateMeanwhile = ({ state }: Payment): PaymentState =>
  state === 'requires_payment_method' ? 'requires_confirmation' : state;

/** The idempotency key of one ask: the same until the provider refuses. */
const keyFor = ({ id, keysUsed }: HoldRow, ask: string): string =>
  keysUsed === 0 ? `${id}:${ask}` : `${id}:${ask}:${keysUsed}`;

/** Whoever works on a hold has it for so long; after that a process that died is taken to have died. */
const leaseMs = 2 * minuteMs;
const stuckRetryMs = hourMs;
const lookForMoreMs = secondMs;
/** A person waits for a worker who has their payment in hand: so often it is looked at, and for so long. */
const waitStepMs = 100;
const mostWaitMs = 20 * secondMs;
const mostSteps = 8;
/** So many are worked on side by side: one whose answer is slow keeps one place, not the others. */
const mostInFlight = 16;

/**
 * The life of holds. What is wanted is written in the transactions of those who want it (`plan`, `settle`, `release`); what
 * the provider is asked happens afterwards (`work`, `workOn`), each step with a key of its own, so that a crash or a lost
 * answer repeats a step without doing it twice; and what the provider says is written with its lines in the ledger
 * (`adopt`), whoever heard it: the answer itself, a webhook, or a look.
 */
export function createAuthorizations(
  platform: Platform,
  provider: CardProvider,
  { cards, accounts, terms, alarms }: { cards: Cards; accounts: Accounts; terms: Terms; alarms: Alarms },
) {
  const { db, transact, clock, log, outbox, env } = platform;
  const calls = new CallBudget(provider.kind === 'sandbox' ? Infinity : env.CARD_CALLS_PER_SECOND);
  /** Holds that this process works on by the clock. */
  const inFlight = new Set<Promise<void>>();
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
      await outbox.emit(tx, 'payment.needed', { ...who, need, isPresent: after.isPresent }, after.bookingId);
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
      const step = nextStep(after, now);
      // What is only to be looked at was looked at just now.
      if (step !== null && step !== 'look') await store.wakeHold(tx, id, now);
      if (refundedCents > before.refundedCents) await alarms.isOver(tx, { kind: 'refundRefused', about: id });
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
      await store.spendKey(tx, hold.id);
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
    if (step === 'find') return find(hold);
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
    if (step === 'giveBack') return giveBack(hold);
    return settled(hold, await ask(hold, step));
  }

  /**
   * Gives back what is due. It is read first how much went back already, because a refund whose answer was lost is made again
   * once the provider has forgotten its key.
   */
  async function giveBack(seen: HoldRow): Promise<HoldRow | null> {
    const hold = await look(seen);
    if (hold === null || nextStep(hold, clock.now()) !== 'giveBack') return hold;
    const given = await refund(hold, refundDue(hold));
    if (given.outcome === 'done') return look(hold);
    if (given.outcome !== 'refused') return settled(hold, given);
    return transact(async (tx) => {
      const detail = [hold.orderNumber, given.code].join(' · ');
      await alarms.raise(tx, { kind: 'refundRefused', about: hold.id, detail });
      await store.spendKey(tx, hold.id);
      return store.know(tx, hold.id, { trouble: given.code }, clock.now());
    });
  }

  /** Asks for a refund after which `dueCents` of the payment are given back. */
  async function refund(hold: HoldRow, dueCents: number): Promise<Outcome<unknown>> {
    const { id, bookingId, takenCents, feeCents } = hold;
    const paymentId = hold.paymentId!;
    const disputeIds = await sentAgainOver(db, id);
    if (disputeIds.length > 0) {
      const back = { paymentId, bookingId, takenCents, feeCents, refundedCents: dueCents, disputeIds };
      const taken = await provider.takeBackSentAgain(back, keyFor(hold, 'refundShare'));
      if (taken.outcome !== 'done') return taken;
    }
    const amountCents = dueCents - hold.refundedCents;
    return provider.refund(
      { paymentId, amountCents, isShared: disputeIds.length === 0, metadata: { booking: bookingId } },
      keyFor(hold, `refund:${hold.refundedCents}:${dueCents}`),
    );
  }

  /**
   * Looks for what an ask has made whose answer was lost, by the name of the hold that it carried: one payment is adopted, others
   * are let go. Where there is none, it is asked with another key; what is not wanted any more is over, once nothing can be
   * on its way.
   */
  async function find(hold: HoldRow): Promise<HoldRow | null> {
    const customerId = await store.payerOf(db, hold.passengerId, provider.kind);
    const since = later(hold.createdAt, -hourMs);
    const found =
      customerId === null
        ? []
        : await provider
            .paymentsOf({ customerId, since, holdId: hold.id })
            .then((ended) => (ended.outcome === 'done' ? ended.value : null));
    if (found === null) return null;
    const [own, ...orphans] = found.toSorted((a, b) => worth(b) - worth(a));
    for (const orphan of orphans)
      if (orphan.state !== 'canceled' && orphan.state !== 'succeeded')
        await provider.release(orphan.id, `${orphan.id}:orphan`);
    if (own !== undefined) return look({ ...hold, paymentId: own.id });
    const now = clock.now();
    const isLost = hold.askedAt === null || now.getTime() - hold.askedAt.getTime() > askLandsWithinMs;
    if (hold.goal === 'release' && !isLost) return null;
    return transact(async (tx) => {
      const before = (await store.lockHold(tx, hold.id))!;
      if (before.factsVersion !== hold.factsVersion || before.version !== hold.version) return before;
      const set =
        before.goal === 'release'
          ? ({ state: 'canceled' } as const)
          : { askedAt: now, keysUsed: before.keysUsed + 1 };
      const after = await store.know(tx, hold.id, set, now);
      await tell(tx, before, after);
      return after;
    });
  }

  async function ask(hold: HoldRow, step: 'ask' | 'confirm' | 'take' | 'letGo'): Promise<Outcome<Payment>> {
    const { paymentId } = hold;
    if (step === 'letGo') return provider.release(paymentId!, keyFor(hold, 'release'));
    if (step === 'take') {
      const amountCents = hold.takeCents;
      const feeCents = feeOf(amountCents, terms.fees);
      return provider.capture(
        { paymentId: paymentId!, amountCents, feeCents },
        keyFor(hold, `take:${amountCents}`),
      );
    }
    if (step === 'confirm')
      return provider.confirm(
        { paymentId: paymentId!, cardId: hold.cardId!, returnUrl: returnUrl(hold) },
        keyFor(hold, `confirm:${hold.tries}`),
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
      keyFor(hold, 'hold'),
    );
  }

  /** Writes how a step ended. */
  async function settled(hold: HoldRow, ended: Outcome<unknown>): Promise<HoldRow | null> {
    if (ended.outcome === 'unavailable') {
      log.warn({ holdId: hold.id, trouble: ended.message }, 'the card provider does not answer');
      // The key stands for another request: what that one made is looked for, and another key taken.
      if (ended.fault === 'idempotency' && hold.paymentId === null)
        await transact((tx) =>
          store.know(tx, hold.id, { askedAt: later(clock.now(), -keyLivesMs) }, clock.now()),
        );
      return null;
    }
    const payment = 'value' in ended ? (ended.value as Payment | null) : null;
    if (payment !== null) {
      const known = await adopt(hold.id, hold.factsVersion, payment, hold.tries);
      return known ?? look((await store.holdById(db, hold.id)) ?? hold);
    }
    const code = 'code' in ended ? ended.code : 'unknown';
    if (accountTroubles.includes(code)) await accounts.doubted(hold.driverId);
    if (hold.paymentId === null) return refused(hold, code);
    // It will not do this as things stand there: what stands there decides what is next.
    log.error({ holdId: hold.id, code }, 'the card provider refuses');
    await store.spendKey(db, hold.id);
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
          askedAt: clock.now(),
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
    let wasRead = false;
    for (let steps = 0; steps < mostSteps; steps++) {
      const now = clock.now();
      const isStuck = hold.trouble !== null && hold.goal === 'hold';
      const step: Step = isStuck ? null : nextStep(hold, now, wasRead);
      if (step === null || (step === 'look' && wasRead)) return rest(claimed, hold);
      const asking = step === 'ask' ? await beforeAsking(hold) : hold;
      if (step === 'ask' && !asking.isAsked) {
        // It is not wanted any more.
        hold = asking;
        continue;
      }
      await calls.take();
      const after = await perform(asking, step);
      if (after === null) return restUnanswered(claimed);
      if (after.trouble !== null) return restRefused(claimed, after);
      wasRead = step === 'look';
      hold = after;
    }
    await restUnanswered(claimed);
  }

  /** As far as it goes for now: it is looked at again when something can have changed by itself. */
  async function rest(claimed: HoldRow, hold: HoldRow): Promise<void> {
    const { attempts } = claimed;
    const nextAt = wakeAt(hold, clock.now(), attempts);
    const isWaiting = nextAt !== null && nextAt > clock.now() && isRead(hold, clock.now());
    await store.restHold(db, claimed, {
      factsVersion: hold.factsVersion,
      nextAt,
      attempts: isWaiting ? attempts : 0,
    });
  }

  async function restUnanswered(claimed: HoldRow): Promise<void> {
    const seen = (await store.holdById(db, claimed.id)) ?? claimed;
    const { attempts } = claimed;
    const pauseMs = attempts > 20 ? stuckRetryMs : retryAfterMs(attempts);
    const nextAt = later(clock.now(), pauseMs);
    await store.restHold(db, claimed, { factsVersion: seen.factsVersion, nextAt, attempts });
  }

  /** Refused: a hold waits for its passenger; a debt or a refund is tried again for some days, and then waits for an admin. */
  async function restRefused(claimed: HoldRow, { goal, factsVersion }: HoldRow): Promise<void> {
    const { attempts } = claimed;
    const pauseMs = goal === 'hold' ? null : refusedRetryMs(attempts);
    const nextAt = pauseMs === null ? null : later(clock.now(), pauseMs);
    await store.restHold(db, claimed, { factsVersion, nextAt, attempts });
  }

  const claim = (most: number, bookingId?: string): Promise<HoldRow[]> => {
    const now = clock.now();
    const terms = { now, leaseEndsAt: later(now, leaseMs), most };
    return store.claimHolds(db, provider.kind, bookingId === undefined ? terms : { ...terms, bookingId });
  };

  function begin(hold: HoldRow): void {
    const work = drive(hold)
      .catch((error: unknown) => log.error({ err: error, id: hold.id }, 'a payment failed'))
      .finally(() => inFlight.delete(work));
    inFlight.add(work);
  }

  return {
    look: (hold: HoldRow) => look(hold),
    replace,
    tell,

    /** Works on everything that is due, some of it side by side; each hold by one process at a time. */
    async work(): Promise<void> {
      for (;;) {
        for (const hold of await claim(mostInFlight - inFlight.size)) begin(hold);
        if (inFlight.size === 0) return;
        // A place that is free, or a second later: a person may be waiting while an answer is slow.
        await Promise.race([...inFlight, pause(lookForMoreMs, undefined, { ref: false })]);
      }
    },

    /**
     * Works on one booking's payment at once, where something is due. Where another worker has just taken it, this waits for what
     * becomes of it, for as long as the provider may take to answer.
     */
    async workOn(bookingId: string): Promise<void> {
      for (let waitedMs = 0; waitedMs < mostWaitMs; waitedMs += waitStepMs) {
        for (const hold of await claim(1, bookingId)) await drive(hold);
        if (!(await store.isInHand(db, bookingId, clock.now()))) return;
        await pause(waitStepMs, undefined, { ref: false });
      }
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
      const cents = Math.min(takeCents, hold.amountCents);
      const wanted = await wantedFor(tx, hold.id, { cents, takeAt }, now);
      const set = wanted.goal === 'take' ? { ...wanted, kind } : wanted;
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

/** Whether a hold waits for something that is only learned by reading it. */
const isRead = (hold: HoldRow, now: Date): boolean =>
  hold.state === 'processing' ||
  hold.state === 'requires_action' ||
  (hold.state === 'requires_capture' && hold.holdEndsAt !== null && hold.holdEndsAt <= now);

/**
 * When a hold that rests is looked at again; null: not before something else is wanted, or the provider tells of it.
 * @param looks how often it has been read in this state.
 */
function wakeAt(hold: HoldRow, now: Date, looks: number): Date | null {
  if (isGivenUp(hold, looks)) return null;
  if (isRead(hold, now)) return later(now, lookAgainMs(looks));
  if (hold.state === 'succeeded' || hold.state === 'canceled') return null;
  if (hold.goal === 'take' && hold.takeAt !== null && hold.takeAt > now) return hold.takeAt;
  if (hold.goal === 'hold' && hold.state === 'requires_capture' && hold.holdEndsAt !== null)
    return later(hold.holdEndsAt, 10 * secondMs);
  return null;
}

const worthOf: Readonly<Partial<Record<PaymentState, number>>> = {
  succeeded: 4,
  requires_capture: 3,
  processing: 2,
  requires_action: 1,
  canceled: -1,
};
/** Which of several payments of one hold is kept: what holds the money goes before what might. */
const worth = ({ state }: Payment): number => worthOf[state] ?? 0;

export const labelOf = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${brand} •••• ${last4}`;
