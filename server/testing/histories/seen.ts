import { isAgreed, seatedStates } from '#contract/rides/moves.ts';
import { secondMs } from '../../platform/clock.ts';
import { nameOf } from './deeds.ts';
import type { HistoryContext } from './history-context.ts';
import { wrongDay } from './weekly.ts';
import type { Booking, World } from './world.ts';

/** The facts seen of a history so far. */
export interface Seen {
  /** The last line of the ledger before it began. */
  ledgerBefore: number;
  /** The most a booking was ever said to cost. */
  highestFare: Map<string, number>;
  /** A booking's highest announced price when it was last seen open. */
  ceilings: Map<string, number>;
  /** The highest price that a ride was ever seen with, in cents. */
  highestPrice: Map<string, number>;
  /**
   * Bookings that ended with a fee while their ride had a price for each person. These fees do not count
   * against a price for the car that the driver sets afterwards.
   */
  feesPerPerson: Set<string>;
  /** Bookings whose seat was reserved for a payment or an answer when they were last seen open. */
  kept: Set<string>;
  /** The bookings as they were last seen, by id. */
  bookings: Map<string, Booking>;
  /** A payment's refunds when its chargeback was first seen. */
  refundedAtFirst: Map<string, number>;
  /** Rides that have been checked. */
  rides: Set<string>;
  /** Passengers whom a chargeback or a warning stopped from paying when the world was last seen. */
  blocked: Set<string>;
  /** Faults that appeared between two reads of the world. */
  wrong: string[];
}

export const nothingSeen = (ledgerBefore: number): Seen => ({
  ledgerBefore,
  highestFare: new Map(),
  ceilings: new Map(),
  highestPrice: new Map(),
  feesPerPerson: new Set(),
  kept: new Set(),
  bookings: new Map(),
  refundedAtFirst: new Map(),
  rides: new Set(),
  blocked: new Set(),
  wrong: [],
});

/** A read of the world may come a second after what it sees. */
const lookMs = secondMs;

/** Notes the state of a world, and changes since the last read that should not have happened. */
export function see(context: HistoryContext, world: World, seen: Seen): void {
  for (const booking of world.bookings) {
    const { id, fareCents, lateFeeCents } = booking;
    const before = seen.bookings.get(id) ?? null;
    seen.highestFare.set(id, Math.max(fareCents, seen.highestFare.get(id) ?? 0));
    if (booking.endedAt === null) {
      seen.ceilings.set(id, fareCents);
      if (booking.state === 'waiting for passenger acceptance') seen.kept.add(id);
      else seen.kept.delete(id);
    }
    const payment = context.paid.get(id);
    if (payment !== undefined && seatedStates.includes(booking.state)) payment.hasSeat = true;
    const isPerPerson = world.rides.find((ride) => ride.id === booking.rideId)?.priceKind === 'perPerson';
    if ((lateFeeCents ?? 0) > 0 && (before?.lateFeeCents ?? 0) === 0 && isPerPerson)
      seen.feesPerPerson.add(id);
    seen.wrong.push(
      ...wrongPickup(world, booking, before),
      ...wrongJoin({ suspended: context.suspended, blocked: seen.blocked }, world, booking, before),
      ...wrongCompany(context, world, booking, before),
    );
    seen.bookings.set(id, booking);
  }
  for (const ride of world.rides) {
    const { id, costCents } = ride;
    seen.highestPrice.set(id, Math.max(costCents, seen.highestPrice.get(id) ?? 0));
    if (!seen.rides.has(id)) seen.wrong.push(...wrongDay(context, world, ride));
    seen.rides.add(id);
  }
  for (const { id, authorizationId } of world.chargebacks)
    if (!seen.refundedAtFirst.has(id))
      seen.refundedAtFirst.set(id, world.holds.find((hold) => hold.id === authorizationId)!.refundedCents);
  const holding = blocking(world).map(({ authorizationId }) =>
    world.holds.find(({ id }) => id === authorizationId)!,
  );
  seen.blocked = new Set(holding.map(({ passengerId }) => passengerId));
}

/**
 * Reasons that stop passengers from paying by card: not what a bank has decided for the driver, or only
 * warned of and taken back.
 */
const blocking = ({ chargebacks, warnings }: World): { authorizationId: string | null }[] => [
  ...chargebacks.filter(
    ({ clearedAt, state }) => clearedAt === null && !['won', 'warning_closed', 'prevented'].includes(state),
  ),
  ...warnings.filter(({ clearedAt, isActionable }) => clearedAt === null && isActionable),
];

/** A passenger who was missed and is on board after all has agreed before. */
const isAgreedAnew = (booking: Booking, before: Booking | null): boolean =>
  isAgreed(booking) && (before === null || !(isAgreed(before) || before.state === 'missed'));

/**
 * No one is asked to be somewhere at a time that is past already. The pick-ups of a ride that is late are
 * past, and may change by a little with the route.
 */
function wrongPickup(world: World, booking: Booking, before: Booking | null): string[] {
  const { pickupAt, endedAt, id, state } = booking;
  const isPast = ({ pickupAt: at }: Booking) => at.getTime() < world.now.getTime() - lookMs;
  const isNew = before === null || before.pickupAt.getTime() !== pickupAt.getTime();
  const isTold = isAgreedAnew(booking, before) || (isNew && (before === null || !isPast(before)));
  // A passenger on board has no pick-up ahead.
  return endedAt === null && state !== 'picked' && isTold && isPast(booking)
    ? [`${nameOf(world, id)} (${state}) is to be picked up at ${pickupAt.toISOString()}, which is past`]
    : [];
}

/**
 * A person who is suspended joins nothing and is joined by no one; a person who is blocked joins nothing that
 * is paid.
 */
function wrongJoin(
  { suspended, blocked }: Pick<HistoryContext, 'suspended'> & Pick<Seen, 'blocked'>,
  world: World,
  booking: Booking,
  before: Booking | null,
): string[] {
  const { id, driverId, passengerId, createdAt, joinedAt, state } = booking;
  const found: string[] = [];
  for (const person of [driverId, passengerId]) {
    const since = suspended.get(person);
    if (since === undefined) continue;
    if (before === null && createdAt > since)
      found.push(`${nameOf(world, id)} has begun with a person who is suspended`);
    if (joinedAt !== null && joinedAt > since && before?.joinedAt?.getTime() !== joinedAt.getTime())
      found.push(`${nameOf(world, id)} is joined by a person who is suspended`);
  }
  if (
    seatedStates.includes(state) &&
    isAgreedAnew(booking, before) &&
    booking.fareCents > 0 &&
    blocked.has(passengerId)
  )
    found.push(`${nameOf(world, id)} is joined by a passenger whose bank took money back`);
  return found;
}

/** No booking begins, or is joined, between two people of whom one has blocked the other. */
function wrongCompany(
  { blocks }: HistoryContext,
  world: World,
  { id, driverId, passengerId, createdAt, joinedAt }: Booking,
  before: Booking | null,
): string[] {
  const block = blocks.find(({ blockerId, blockedId }) =>
    [blockerId, blockedId].every((each) => each === driverId || each === passengerId),
  );
  if (block === undefined) return [];
  const begins = before === null && createdAt > block.since;
  const joins =
    joinedAt !== null && joinedAt > block.since && before?.joinedAt?.getTime() !== joinedAt.getTime();
  return begins || joins
    ? [
        `${nameOf(world, id)} is ${begins ? 'opened' : 'joined'} between two people of whom one has blocked the other`,
      ]
    : [];
}
