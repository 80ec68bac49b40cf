import { endedRideStates, isAgreed, seatedStates } from '#contract/rides/moves.ts';
import { minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import { nameOf } from './deeds.ts';
import type { HistoryContext } from './history-context.ts';
import type { Booking, Hold, World } from './world.ts';

/**
 * Contradictions between a booking's present price, the amount it is paid for, and the state of its payment.
 */
export const wrongFares = (context: HistoryContext, world: World): string[] =>
  world.bookings.flatMap((booking) => {
    const of = world.holds.filter(({ bookingId }) => bookingId === booking.id);
    const hold = of.find(({ isCurrent }) => isCurrent) ?? null;
    const name = `${nameOf(world, booking.id)} (${booking.state})`;
    const found = [
      wrongAmount(booking, hold),
      wrongTake(booking, hold, world),
      oneSidedFare(booking, of, world),
      wrongClaim(booking, hold, world),
      lostSeat(context, booking, hold),
    ];
    return found.flatMap((wrong) => (wrong === null ? [] : [`${name} ${wrong}`]));
  });

/** The amount to authorize, or to capture of an authorization, is the fare that was agreed last. */
function wrongAmount(booking: Booking, hold: Hold | null): string | null {
  if (!isAgreed(booking) || hold === null || hold.goal !== 'authorize') return null;
  if (booking.fareCents < minimumPriceCents) return null;
  return hold.amountCents === booking.fareCents
    ? null
    : `costs ${booking.fareCents} ¢ now, ${hold.amountCents} are asked for`;
}

/** Once a ride has ended the fare is being taken, all of it and no more; unless that is in question. */
function wrongTake(booking: Booking, hold: Hold | null, world: World): string | null {
  if (booking.state !== 'finished' || booking.fareCents < minimumPriceCents) return null;
  const ride = world.rides.find(({ id }) => id === booking.rideId)!;
  if (!endedRideStates.includes(ride.state)) return null;
  if (hold === null) return `costs ${booking.fareCents} ¢ and is paid for by nothing`;
  const isDecided = world.disputes.some(
    ({ bookingId, resolvedById }) => bookingId === booking.id && resolvedById !== null,
  );
  if (hold.kind !== 'fare' || isDecided) return null;
  if (hold.goal !== 'capture') return `costs ${booking.fareCents} ¢, and its payment is to ${hold.goal}`;
  return hold.captureCents === booking.fareCents
    ? null
    : `costs ${booking.fareCents} ¢, and ${hold.captureCents} are to be taken`;
}

/**
 * No fare is taken on the word of one side: before it, both have said that they met, each by a move of their
 * own, or both have answered that they rode.
 */
function oneSidedFare(booking: Booking, of: readonly Hold[], world: World): string | null {
  const isTaken = of.some(
    ({ kind, goal, captureCents, capturedCents }) =>
      kind === 'fare' && goal === 'capture' && (captureCents > 0 || capturedCents > 0),
  );
  if (booking.state !== 'finished' || !isTaken) return null;
  const said = new Set<string>();
  for (const { thingId, move, actor } of world.meetings) {
    if (thingId !== booking.id) continue;
    if (move === 'undoMeet' || move === 'noShow' || move === 'reportDriver') said.clear();
    else if (move === 'agreeRidden') return null;
    else said.add(actor);
  }
  return said.has('driver') && said.has('passenger')
    ? null
    : `is charged for, and ${[...said].join(' and ') || 'neither side'} alone said that they met`;
}

/**
 * An objection is about what is asked for now: while a passenger has a seat, nothing is asked for yet, and
 * what they objected to before they were on board after all is void.
 */
function wrongClaim({ id, state }: Booking, hold: Hold | null, world: World): string | null {
  const open = world.disputes.filter(({ bookingId, state: of }) => bookingId === id && of !== 'resolved');
  if (open.length > 1) return `has ${open.length} open disputes`;
  const boarding = world.meetings.findLast(({ thingId, move }) => thingId === id && move === 'boardLate');
  const isVoid = boarding !== undefined && open.some(({ openedAt }) => openedAt < boarding.at);
  return isVoid || (open.length === 1 && hold?.goal === 'authorize' && seatedStates.includes(state))
    ? 'has an open dispute about what is over'
    : null;
}

/**
 * A passenger who has paid before the deadline has the seat, however late the event comes; unless they have
 * agreed to another price since, and its payment is another one.
 */
function lostSeat({ paid }: HistoryContext, { id, state }: Booking, hold: Hold | null): string | null {
  const payment = paid.get(id);
  return payment?.authorizationId === hold?.id &&
    payment !== undefined &&
    state === 'expired' &&
    !payment.hasSeat
    ? `has lost a seat that was paid for at ${payment.at.toISOString()}`
    : null;
}
