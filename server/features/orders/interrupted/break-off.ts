import { comingStates } from '#contract/rides/moves.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import { trafficPermilleAt } from '../../geo/service.ts';
import { countRide } from '../../identity/service.ts';
import { arriveByMs, travelBetween, spotsNear } from '../../matching/service.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { cancelComing } from '../cancel-coming.ts';
import { closeAsks, settleRequests } from '../decide/cascade.ts';
import { settlePartWay, settleFares } from '../decide/money.ts';
import { type By, bySystem } from '../decide/move-log.ts';
import { moveRide, moveBooking, moveRequest } from '../decide/moves.ts';
import { takeTime } from '../decide/time.ts';
import { strandedWindowMs } from '../rules/rebooking.ts';
import * as store from '../store.ts';
import { assess, type Assessment, type Interruption } from './assess.ts';
import * as own from './store.ts';

/** Who ends a ride, and the note for the history. */
interface Ending {
  by: By;
  reason: string;
}

/**
 * Ends a ride that has left: passengers not picked up yet pay nothing, passengers on board pay for what was
 * ridden. The caller holds its lock and has checked that the actor may.
 */
export async function breakOffRide(
  app: App,
  locked: LockedOrders,
  ride: store.RideRow,
  { by, ...interruption }: Interruption & { by: By },
): Promise<void> {
  const { kind, words } = interruption;
  const ending: Ending = { by, reason: words === '' ? kind : words };
  const endedAt = app.clock.now();
  const bookings = locked.bookingsOfRide(ride.id);
  const found = assess(app, { ride, bookings, stops: locked.stops(ride.id) }, interruption);
  moveRide(app, locked, ride, { move: 'breakOff', by, set: { endedAt }, note: ending.reason });
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
  closeAsks(app, locked, bookings, { how: 'withdraw', reason: '' });
  for (const booking of bookings)
    if (comingStates.includes(booking.state)) cancelComing(app, locked, booking, ending);
  for (const aboard of found.aboard) await endAboard(app, locked, { ...aboard, found }, ending);
  locked.spans.free(ride.id);
  settleRequests(app, locked, bookings);
  const finished = bookings.filter(({ state }) => state === 'finished');
  await payFinished(app, locked, ride, { finished, shares: found.shares });
}

/** A passenger on board pays for what was ridden; their request reopens from there. */
async function endAboard(
  app: App,
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
  const { id: bookingId, rideId, requestId, fareCents } = booking;
  const request = (await locked.lockRequest(requestId))!;
  // The request will begin somewhere else: the booking keeps where this ride began.
  const pickupName = booking.pickupName || request.fromName;
  const set = {
    fault: 'driver',
    reason,
    endedAt: app.clock.now(),
    pickupName,
    fareCents,
  } as const;
  moveBooking(app, locked, booking, { move: 'breakOff', by, set, note: reason });
  await own.insertBrokenBooking(await locked.db(), {
    bookingId,
    rideId,
    riddenMetres,
    routeMetres,
    shareCents,
  });
  settlePartWay(app, locked, bookingId, shareCents);
  await openOnwardRequest(app, locked, requestId, found);
}

/** Passengers dropped off before pay their fare, and the driver's shared distance counts. */
async function payFinished(
  app: App,
  locked: LockedOrders,
  ride: store.RideRow,
  { finished, shares }: Pick<Assessment, 'shares'> & { finished: readonly store.BookingRow[] },
): Promise<void> {
  if (finished.length === 0) return;
  settleFares(app, locked, finished, shares);
  const requests = await store.requestsByIds(
    await locked.db(),
    finished.map(({ requestId }) => requestId),
  );
  const metres = requests.reduce((sum, { driveMetres }) => sum + driveMetres, 0);
  await countRide(await locked.db(), ride.driverId, metres);
}

/** A passenger this near to their destination needs no other ride. */
const arrivedMetres = 200;

/**
 * Reopens the request of a passenger on board from where the ride ended, for an hour. Where that place is
 * unknown, where they have arrived, or where they have another order then, the request ends.
 */
async function openOnwardRequest(
  app: App,
  locked: LockedOrders,
  requestId: string,
  from: Assessment,
): Promise<void> {
  const request = await locked.lockRequest(requestId);
  if (request?.state !== 'joined') return;
  if (await moveStart(app, locked, request, from)) return;
  const set = { endedAt: app.clock.now() };
  moveRequest(app, locked, request, { move: 'cancel', by: bySystem, set });
  locked.spans.free(requestId);
}

/** Moves the start of the request to where its passenger is; false where it cannot. */
async function moveStart(
  app: App,
  locked: LockedOrders,
  request: store.RequestRow,
  { source, at, place, detail }: Assessment,
): Promise<boolean> {
  const to = { lon: request.toLon, lat: request.toLat };
  const travel = source === 'stop' ? null : travelBetween(app, at, to);
  if (travel === null || travel.metres < arrivedMetres) return false;
  const now = app.clock.now();
  const latestAt = later(now, strandedWindowMs);
  const driveMs = inTraffic(travel.milliseconds, trafficPermilleAt(app, at, latestAt));
  const taking = { id: request.id, personId: request.passengerId, from: now, to: later(latestAt, driveMs) };
  if (!takeTime(locked, taking)) return false;
  locked.editRequest(request.id, {
    fromName: place,
    fromDetail: detail,
    fromLon: at.lon,
    fromLat: at.lat,
    driveMs,
    driveMetres: travel.metres,
    earliestAt: now,
    latestAt,
    arriveBy: new Date(arriveByMs(latestAt.getTime(), driveMs)),
    pickupMeetingPoints: spotsNear(app, at, request.walkMetres),
  });
  return true;
}
