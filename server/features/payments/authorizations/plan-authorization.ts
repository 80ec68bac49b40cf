import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { cardToPayWith } from '../cards/sync-cards.ts';
import { isSecured } from '../rules/next-step.ts';
import { plannedOn } from './card-plan.ts';
import { replaceAuthorization } from './replace-authorization.ts';
import { emitChanges } from './signals.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/** The subject of a payment: one booking, as its two sides agreed on it. */
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
