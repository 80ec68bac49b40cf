import { randomUUID } from 'node:crypto';
import { minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import type { PaymentKind } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Platform } from '../../../platform/platform.ts';
import { writeLedger } from '../books/store.ts';
import type { CardRow } from '../cards/store.ts';
import { cardToPayWith, knownCards } from '../cards/manage-cards.ts';
import { authorizationMove } from '../rules/authorization-move.ts';
import { isUsable } from '../rules/card-state.ts';
import { waivedLines } from '../rules/ledger.ts';
import { isSecured, authorizationDueAt, needOf } from '../rules/next-step.ts';
import * as store from './store.ts';
import type { AuthorizationRow, NewAuthorization } from './store.ts';

/** The subject of a payment: one booking, as its two sides agreed on it. */
interface PaidBooking {
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

/**
 * Plans a booking's payment: the amount is authorized on the passenger's card some days before the ride, or
 * as soon as there is a card. A payment that was planned before is replaced.
 */
export async function planAuthorization(
  app: App,
  tx: Db,
  booking: PaidBooking,
  { amountCents, isPresent }: { amountCents: number; isPresent: boolean },
): Promise<AuthorizationRow> {
  const now = app.clock.now();
  const old = await store.currentAuthorization(tx, booking.bookingId, true);
  const card = await cardToPayWith(app, tx, booking.passengerId, booking.rideAt);
  if (old !== null)
    await store.updateGoal(tx, old.id, { isCurrent: false, goal: 'cancel', nextAt: now, attempts: 0 }, now);
  const authorization = await store.insertAuthorization(tx, {
    id: randomUUID(),
    provider: app.payments.provider.kind,
    ...booking,
    goal: 'authorize',
    amountCents,
    ...plannedOn(app, card, booking.rideAt),
    isPresent,
    createdAt: now,
    updatedAt: now,
  });
  await emitChanges(app, tx, null, authorization);
  return authorization;
}

/**
 * Changes what a booking costs. An authorization that suffices stays, and less of it is captured; any other
 * request to the provider was for the old amount, and is replaced. The passenger may have to confirm the new
 * one.
 */
export async function repriceAuthorization(
  app: App,
  tx: Db,
  bookingId: string,
  amountCents: number,
): Promise<void> {
  const authorization = await store.currentAuthorization(tx, bookingId, true);
  if (authorization === null || authorization.goal !== 'authorize') return;
  const { id, isAsked, state, authorizedCents } = authorization;
  const now = app.clock.now();
  if (amountCents === 0) {
    await store.updateGoal(tx, id, { isCurrent: false, goal: 'cancel', nextAt: now, attempts: 0 }, now);
  } else if (!isAsked || (state === 'requires_capture' && amountCents <= authorizedCents))
    await store.updateGoal(tx, id, { amountCents }, now);
  else if (amountCents !== authorization.amountCents)
    await replaceAuthorization(app, tx, authorization, { amountCents });
}

/** Whether what a booking costs is authorized, or will be on a card that is saved. */
export const isPaymentSecured = ({ clock }: App, authorization: AuthorizationRow): boolean =>
  isSecured(authorization, clock.now());

/**
 * A ride leaves at another time: what is planned for its passengers’ cards moves with it. Called in the
 * transaction that moves a ride, or may have; nothing happens where its time is the one that is planned for.
 */
export async function followRide(
  app: App,
  tx: Db,
  { departsAt: rideAt }: { departsAt: Date },
  bookingIds: readonly string[],
): Promise<void> {
  for (const authorization of await store.authorizationsOffTime(tx, bookingIds, rideAt)) {
    const now = app.clock.now();
    const becomes = authorizationMove(authorization, { rideAt, placedAt: placedAt(app, rideAt), now });
    if (becomes === 'plan') await planAgain(app, tx, authorization, rideAt);
    else if (becomes === 'anew') await replaceAuthorization(app, tx, { ...authorization, rideAt }, {});
    else await store.writeRideAt(tx, authorization.id, rideAt, now);
  }
}

async function planAgain(app: App, tx: Db, authorization: AuthorizationRow, rideAt: Date): Promise<void> {
  const card = await cardFor(app, tx, authorization, rideAt);
  // The planned card can no longer be used: its passenger is notified that another one is needed.
  if (card === null && authorization.cardId !== null) {
    await replaceAuthorization(app, tx, { ...authorization, rideAt }, {});
    return;
  }
  const planned =
    card === null
      ? {}
      : ({
          cardId: card.id,
          cardLabel: card.label,
          state: 'requires_confirmation',
          nextAt: placedAt(app, rideAt),
          attempts: 0,
        } as const);
  await store.updateGoal(tx, authorization.id, { rideAt, ...planned }, app.clock.now());
}

/** The card that is planned with, or another one where it is no longer good on the ride’s new day. */
async function cardFor(
  app: App,
  tx: Db,
  { passengerId, cardId }: AuthorizationRow,
  rideAt: Date,
): Promise<{ id: string; label: string } | null> {
  const planned = (await knownCards(app, tx, passengerId)).find(({ id }) => id === cardId);
  const isGood = planned !== undefined && isUsable(planned, rideAt);
  const card = isGood ? planned : await cardToPayWith(app, tx, passengerId, rideAt);
  return card === null ? null : { id: card.id, label: labelOf(card) };
}

/**
 * It is known what a booking costs: capture so much from `captureAt` on, and cancel the rest. Nothing where
 * nothing is paid.
 */
export async function settleAuthorization(
  app: App,
  tx: Db,
  bookingId: string,
  { captureCents, kind, captureAt }: { captureCents: number; kind: PaymentKind; captureAt: Date },
): Promise<void> {
  const authorization = await store.currentAuthorization(tx, bookingId, true);
  if (authorization === null || authorization.goal !== 'authorize') return;
  const now = app.clock.now();
  const cents = Math.min(captureCents, authorization.amountCents);
  const wanted = await captureOrWaive(tx, authorization, { cents, captureAt }, now);
  const set = wanted.goal === 'capture' ? { ...wanted, kind } : wanted;
  await store.updateGoal(tx, authorization.id, { ...set, settledAt: now, attempts: 0, trouble: null }, now);
}

/**
 * A booking goes on after all: undoes its final fare, and authorizes again what has been canceled. False
 * where it cannot be undone, or there is nothing to undo.
 */
export async function resumeAuthorization(
  app: App,
  tx: Db,
  bookingId: string,
  amountCents: number,
): Promise<boolean> {
  const authorization = await store.currentAuthorization(tx, bookingId, true);
  if (authorization === null || authorization.goal === 'authorize' || authorization.capturedCents > 0)
    return false;
  const now = app.clock.now();
  const undone = {
    goal: 'authorize',
    kind: 'fare',
    captureCents: 0,
    captureAt: null,
    settledAt: null,
    refundGoalCents: 0,
  } as const;
  if (authorization.goal === 'capture')
    await store.updateGoal(tx, authorization.id, { ...undone, nextAt: now, attempts: 0 }, now);
  else if (amountCents > 0) await replaceAuthorization(app, tx, authorization, { ...undone, amountCents });
  return true;
}

/**
 * The goal of an authorization of which so much is owed: it is captured from `captureAt` on, and the rest
 * canceled. Nothing is captured where nothing is owed, nor where it is less than card providers charge: that
 * is waived, and written to the ledger.
 */
export async function captureOrWaive(
  tx: Db,
  { id: authorizationId, provider }: Pick<AuthorizationRow, 'id' | 'provider'>,
  owed: { cents: number; captureAt: Date },
  now: Date,
): Promise<Partial<AuthorizationRow>> {
  const { cents, captureAt } = owed;
  if (cents >= minimumPriceCents)
    return { goal: 'capture', captureCents: cents, captureAt, nextAt: captureAt > now ? captureAt : now };
  if (cents > 0)
    await writeLedger(tx, provider, waivedLines(cents, { authorizationId, at: now, newId: randomUUID }));
  return { goal: 'cancel', nextAt: now };
}

/**
 * Replaces an authorization that can no longer be used; what is left of the old one is canceled.
 * @param set the columns in which the new one differs.
 */
export async function replaceAuthorization(
  app: App,
  tx: Db,
  old: AuthorizationRow,
  set: Partial<AuthorizationRow>,
): Promise<AuthorizationRow> {
  const now = app.clock.now();
  await store.updateGoal(tx, old.id, { isCurrent: false, goal: 'cancel', nextAt: now, attempts: 0 }, now);
  const card = await cardToPayWith(app, tx, old.passengerId, old.rideAt);
  const fresh = await store.insertAuthorization(tx, {
    ...agreedOn(old),
    provider: app.payments.provider.kind,
    ...plannedOn(app, card, old.rideAt),
    isPresent: false,
    createdAt: now,
    updatedAt: now,
    ...set,
    id: randomUUID(),
  });
  await emitChanges(app, tx, null, fresh);
  return fresh;
}

/** A driver can be paid again: authorizations refused because they could not are placed again. */
export async function replaceRefused(app: App, driverId: string): Promise<void> {
  await app.transact('replace refused', async (tx) => {
    for (const authorization of await store.authorizationsWithoutAccount(tx, driverId))
      await replaceAuthorization(app, tx, authorization, {});
  });
}

/** The columns that a replacement has in common with its predecessor: the booking, and the goal. */
function agreedOn(
  old: AuthorizationRow,
): Omit<store.NewAuthorization, 'id' | 'provider' | 'state' | 'isPresent' | 'createdAt' | 'updatedAt'> {
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
    captureCents: old.captureCents,
    captureAt: old.captureAt,
    settledAt: old.settledAt,
    refundGoalCents: old.refundGoalCents,
  };
}

/** The label of a card in the view of a payment. */
export const labelOf = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${brand} •••• ${last4}`;

/**
 * The first state of an authorization: the card it is planned on and when it is due, or that a card is
 * missing.
 */
const plannedOn = (
  app: App,
  card: CardRow | null,
  rideAt: Date,
): Pick<NewAuthorization, 'state' | 'cardId' | 'cardLabel' | 'nextAt'> => ({
  state: card === null ? 'requires_payment_method' : 'requires_confirmation',
  cardId: card?.id ?? null,
  cardLabel: card === null ? '' : labelOf(card),
  nextAt: card === null ? null : placedAt(app, rideAt),
});

/** When an authorization for a ride at `rideAt` is placed. */
export const placedAt = (app: App, rideAt: Date): Date =>
  authorizationDueAt(rideAt, app.env.HOLD_DAYS, app.clock.now());

/**
 * Emits what has changed about a booking's payment: its state, what it needs, what was captured.
 * @param before null: it is new.
 */
export async function emitChanges(
  { outbox }: Pick<Platform, 'outbox'>,
  tx: Db,
  before: AuthorizationRow | null,
  after: AuthorizationRow,
): Promise<void> {
  if (!after.isCurrent) return;
  const { id: authorizationId, bookingId, rideId, requestId, passengerId, driverId } = after;
  const who = { authorizationId, bookingId, rideId, requestId, passengerId, driverId };
  if (before?.state !== after.state || before.capturedCents !== after.capturedCents)
    await outbox.emit(tx, 'payment.moved', { ...who, state: after.state }, bookingId);
  const need = needOf(after);
  if (need !== null && (before === null || needOf(before) !== need))
    await outbox.emit(tx, 'payment.needed', { ...who, need, isPresent: after.isPresent }, bookingId);
  if (after.capturedCents > (before?.capturedCents ?? 0))
    await outbox.emit(tx, 'payment.captured', { ...who, amountCents: after.capturedCents }, bookingId);
}
