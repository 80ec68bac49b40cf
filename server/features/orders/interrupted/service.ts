import { comingStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { countRide } from '../../identity/service.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { cancelComing } from '../cancel-coming.ts';
import type { By } from '../move-log.ts';
import * as store from '../store.ts';
import { assess, type Assessment, type Interruption } from './assess.ts';
import type { InterruptContext } from './context.ts';
import { openOnwardRequest } from './onward-request.ts';
import * as own from './store.ts';

/**
 * Rides that end on the way: passengers not picked up yet pay nothing, passengers on board pay for what was
 * ridden.
 */
export function createInterruptedRides(
  platform: App,
  parts: Pick<InterruptContext, 'moves' | 'settle' | 'money'>,
) {
  const context: InterruptContext = { platform, ...parts };
  const { db } = platform;
  return {
    assess: assess.bind(null, context),
    breakOff: breakOff.bind(null, context),
    ridesByIds: (ids: readonly string[]) => own.brokenRidesByIds(db, ids),
    bookingsOf: (rideIds: readonly string[]) => own.brokenBookingsOf(db, rideIds),
    list: (page: Parameters<typeof own.listBrokenRides>[1]) => own.listBrokenRides(db, page),
    decide: own.decideBroken,
    countOf: (driverId: string, since: Date) => own.countBrokenOf(db, driverId, since),
  };
}

/** Who ends a ride, and the note for the history. */
interface Ending {
  by: By;
  reason: string;
}

/** Ends a ride that has left. The caller holds its lock and has checked that the actor may. */
async function breakOff(
  context: InterruptContext,
  locked: LockedOrders,
  ride: store.RideRow,
  { by, ...interruption }: Interruption & { by: By },
): Promise<void> {
  const { moves, settle } = context;
  const { kind, words } = interruption;
  const ending: Ending = { by, reason: words === '' ? kind : words };
  const endedAt = context.platform.clock.now();
  const bookings = locked.bookingsOfRide(ride.id);
  const found = assess(context, { ride, bookings, stops: locked.stops(ride.id) }, interruption);
  moves.moveRide(locked, ride, { move: 'breakOff', by, set: { endedAt }, note: ending.reason });
  await own.insertBrokenRide(await locked.db(), {
    rideId: ride.id,
    driverId: ride.driverId,
    by: by.actor === 'admin' ? 'admin' : 'driver',
    kind,
    words,
    source: found.source,
    ...found.at,
    place: found.place,
    at: endedAt,
  });
  settle.closeAsks(locked, bookings, { how: 'withdraw', reason: '' });
  for (const booking of bookings)
    if (comingStates.includes(booking.state)) cancelComing(context, locked, booking, ending);
  for (const aboard of found.aboard) await endAboard(context, locked, { ...aboard, found }, ending);
  locked.spans.free(ride.id);
  settle.requests(locked, bookings);
  const finished = bookings.filter(({ state }) => state === 'finished');
  await payFinished(context, locked, ride, { finished, shares: found.shares });
}

/** A passenger on board pays for what was ridden; their request reopens from there. */
async function endAboard(
  context: InterruptContext,
  locked: LockedOrders,
  {
    booking,
    shareCents,
    riddenMetres,
    routeMetres,
    found,
  }: Assessment['aboard'][number] & { found: Assessment },
  { by, reason }: Ending,
): Promise<void> {
  const { moves, money } = context;
  const { id: bookingId, rideId, requestId, fareCents } = booking;
  const request = (await locked.lockRequest(requestId))!;
  // The request will begin somewhere else: the booking keeps where this ride began.
  const pickupName = booking.pickupName || request.fromName;
  const set = {
    fault: 'driver',
    reason,
    endedAt: context.platform.clock.now(),
    pickupName,
    fareCents,
  } as const;
  moves.moveBooking(locked, booking, { move: 'breakOff', by, set, note: reason });
  await own.insertBrokenBooking(await locked.db(), {
    bookingId,
    rideId,
    riddenMetres,
    routeMetres,
    shareCents,
  });
  money.partWayDue(locked, bookingId, shareCents);
  await openOnwardRequest(context, locked, requestId, found);
}

/** Passengers dropped off before pay their fare, and the driver's shared distance counts. */
async function payFinished(
  { money }: InterruptContext,
  locked: LockedOrders,
  ride: store.RideRow,
  { finished, shares }: Pick<Assessment, 'shares'> & { finished: readonly store.BookingRow[] },
): Promise<void> {
  if (finished.length === 0) return;
  money.fareDue(locked, finished, shares);
  const requests = await store.requestsByIds(
    await locked.db(),
    finished.map(({ requestId }) => requestId),
  );
  const metres = requests.reduce((sum, { driveMetres }) => sum + driveMetres, 0);
  await countRide(await locked.db(), ride.driverId, metres);
}
