import type { Preferences } from '#contract/rides/preferences.ts';
import { money } from '#contract/formats/amounts.ts';
import { isPriceTooLow, lowestPriceCents } from '#contract/rides/lowest-prices.ts';
import { maxOpenOrders, planAheadDays } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { refuseField, type Refusal } from '../../platform/refusal.ts';
import { countOwnTags } from '../contacts/queries.ts';
import { ownVehicle } from '../drivers/service.ts';
import { isWoman } from '../identity/service.ts';
import { isAccountReady, moneyTerms } from '../payments/service.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';
import type { RequestInput, RideInput } from './order-input.ts';
import { takeTime as takeSpanOf } from './decide/time.ts';
import * as store from './store.ts';

/** Refuses a time in the past, and one too far ahead. */
export function checkTime(app: App, at: Date, field: string): void {
  const now = app.clock.now();
  if (at <= now) throw refuseField('order.timePast', field, 'Please select a departure time in the future.');
  if (at > later(now, planAheadDays * dayMs))
    throw refuseField(
      'order.timeTooFar',
      field,
      `Please select a time within the next ${planAheadDays} days.`,
    );
}

interface Priced {
  priceKind: 'perPerson' | 'perCar';
  costCents: number;
  seats: number;
}

/**
 * Refuses a price of which a rider's part is less than card providers charge, with the lowest one that works:
 * `order.priceTooLow` for each person, `order.carPriceTooLow` where a full car would share it.
 */
export function checkPrice(ride: Priced, field: string): void {
  if (!isPriceTooLow(ride)) return;
  const amountCents = lowestPriceCents(ride);
  const { priceKind, seats } = ride;
  throw priceKind === 'perPerson'
    ? refuseField('order.priceTooLow', field, 'Please ask for at least $0.50, or make the ride free.')
    : refuseField(
        'order.carPriceTooLow',
        field,
        `With ${seats} seats, please ask for at least ${money(amountCents, 'en')} for the car, or make the ride free.`,
        { amountCents, seats },
      );
}

/** Refuses more, in cents, than one payment may move. */
export function checkAmount(app: App, cents: number, field: string): void {
  const mostCents = app.env.MAX_TRANSACTION_CENTS;
  if (cents <= mostCents) return;
  throw refuseField(
    'order.amountTooHigh',
    field,
    `The maximum transaction amount allowed is $${(mostCents / 100).toString()}.`,
    { amountCents: mostCents },
  );
}

/** Refuses tags in the audience that are not the owner's own. */
export async function checkAudience(
  locked: LockedOrders,
  ownerId: string,
  order: RideInput | RequestInput,
): Promise<void> {
  const tagIds = [...new Set(order.tagIds)];
  if (order.visibility !== 'tags') return;
  if (tagIds.length === 0 || (await countOwnTags(await locked.db(), ownerId, tagIds)) !== tagIds.length)
    throw refuseField('order.tagsMissing', 'order.tagIds', 'Please select at least one of your tags.');
}

/** Women-only orders are for people whose own profile says female: why another may not, or null. */
export async function womenRefusal(
  app: App,
  personId: string | null,
  wanted: Preferences,
  field: string,
): Promise<Refusal | null> {
  return !wanted.women || (personId !== null && (await isWoman(app, personId)))
    ? null
    : refuseField(
        'order.womenNotAllowed',
        field,
        'Women-only rides are for people with “Female” in their profile.',
      );
}

/** Refuses `order.womenNotAllowed`. */
export async function checkWomen(
  app: App,
  personId: string | null,
  wanted: Preferences,
  field: string,
): Promise<void> {
  const refusal = await womenRefusal(app, personId, wanted, field);
  if (refusal !== null) throw refusal;
}

/** Refuses an event that this person may not see. */
export async function checkEvent({ ports }: App, personId: string, eventId: string | null): Promise<void> {
  if (eventId !== null && !(await ports.orders.canTravelTo(eventId, personId)))
    throw refuseField('order.eventNotFound', 'order.eventId', 'We couldn’t find this event.');
}

/** Refuses a price from a driver whom the card provider cannot pay. */
export async function checkAccount(
  app: App,
  locked: LockedOrders,
  driverId: string,
  { costCents, field }: { costCents: number; field: string },
): Promise<void> {
  if (costCents === 0) return;
  if (!moneyTerms(app).takesCards)
    throw refuseField(
      'order.cardsOff',
      field,
      'We don’t take card payments here. Please set the cost to zero.',
    );
  if (await isAccountReady(app, await locked.db(), driverId)) return;
  throw refuseField(
    'order.accountNotReady',
    field,
    'The connected payment account is not ready: set it up in the payment menu or set the cost to zero.',
  );
}

/** Refuses a paid ride without a vehicle, another person's vehicle, and more seats than it has. */
export async function checkVehicle(
  app: App,
  locked: LockedOrders,
  driverId: string,
  order: RideInput,
): Promise<void> {
  const missing = () => refuseField('order.vehicleMissing', 'order.vehicleId', 'Please add a vehicle first.');
  const { costCents, vehicleId, seats } = order;
  if (costCents > 0 && vehicleId === null) throw missing();
  await checkAccount(app, locked, driverId, { costCents, field: 'order.costCents' });
  if (vehicleId === null) return;
  const vehicle = await ownVehicle(await locked.db(), driverId, vehicleId);
  if (vehicle === null) throw missing();
  if (seats > vehicle.seats)
    throw refuseField(
      'order.moreSeatsThanVehicle',
      'order.seats',
      `This vehicle has ${vehicle.seats} passenger ${vehicle.seats === 1 ? 'seat' : 'seats'}.`,
    );
}

/** Refuses an order whose car or audience its owner may not use. */
export async function checkOwned(
  app: App,
  locked: LockedOrders,
  ownerId: string,
  order: RideInput | RequestInput,
): Promise<void> {
  if (order.role === 'driver') await checkVehicle(app, locked, ownerId, order);
  await checkAudience(locked, ownerId, order);
}

/** Refuses another order, or recurring ride, of a person who already has the maximum number. */
export async function checkRoom(locked: LockedOrders, personId: string): Promise<void> {
  await locked.lockPerson(personId);
  if ((await store.countOpenOrders(await locked.db(), personId)) >= maxOpenOrders) throw tooManyOpen();
}

export const tooManyOpen = (): Refusal =>
  refuseField(
    'order.tooMany',
    'order',
    `You can have up to ${maxOpenOrders} open rides and requests. Please finish or cancel one first.`,
  );

/** Moves the span that an order has taken of its person's time. Refuses an overlap with another of theirs. */
export function takeTime(
  locked: LockedOrders,
  order: { id: string; personId: string; field: string },
  taken: { from: Date; to: Date },
): void {
  if (!takeSpanOf(locked, { ...order, ...taken })) throw overlap(order.field);
}

export const overlap = (field: string): Refusal =>
  refuseField(
    'order.overlap',
    field,
    'There is an existing ride at the same departure time, so choose a different time.',
  );
