import type { OutputOf } from '#contract/define.ts';
import { endedRideStates, seatedStates, type BreakOffKind } from '#contract/rides/moves.ts';
import type { Ride } from '#contract/rides/views.ts';
import type * as calls from '#contract/trips/interrupted-rides.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { App } from '../../app-type.ts';
import { refuseField } from '../../platform/refusal.ts';
import { peopleByIds } from '../identity/service.ts';
import {
  mayMoveRide,
  orderNotFound,
  rideFacts,
  rideMovedOn,
  rideById,
  bookingsOf,
  stopsOf,
  assess,
  rideViews,
  rideByNumber,
  breakOffRide,
  changeOrders,
  type By,
  type RideRow,
  type LockedOrders,
} from '../orders/service.ts';
import { viewInterruptedRide } from './interrupted-rides.ts';
import * as store from './store.ts';

const reasonMissing = () =>
  refuseField('order.reasonMissing', 'reason', 'Please enter a reason for those who have joined.');

/** The consequences of ending one's ride here; changes nothing. */
export async function previewInterruption(
  app: App,
  { id, lon, lat }: { id: string; lon?: number | undefined; lat?: number | undefined },
  driverId: string,
): Promise<OutputOf<typeof calls.breakOffPreview>> {
  const { db, clock, env } = app;
  const ride = await rideById(app.db, id);
  // A finished ride cannot end early, and the last stop may be a passenger's exact place.
  if (ride === null || ride.driverId !== driverId || endedRideStates.includes(ride.state))
    throw orderNotFound();
  const bookings = await bookingsOf(db, { rideIds: [id] });
  const stops = await stopsOf(db, [id]);
  const facts = rideFacts(ride, stops, bookings);
  const chosen = lon === undefined || lat === undefined ? null : { lon, lat };
  const position = await store.positionOf(db, id);
  const found = assess(app, { ride, bookings, stops }, { chosen, position });
  const joined = bookings.filter(({ state }) => seatedStates.includes(state)).length;
  const people = await peopleByIds(
    app,
    found.aboard.map(({ booking }) => booking.passengerId),
  );
  return {
    may: mayMoveRide(facts, clock.now()).includes('breakOff'),
    source: found.source,
    place: found.place,
    ...found.at,
    notPicked: joined - found.aboard.length,
    aboard: found.aboard.map(({ booking, riddenMetres, routeMetres, shareCents }) => ({
      bookingId: booking.id,
      name: people.get(booking.passengerId)?.name ?? '',
      riddenMetres,
      routeMetres,
      fareCents: booking.fareCents,
      shareCents,
    })),
    strike: joined > 0,
    objectHours: env.DISPUTE_HOURS,
  };
}

/** The driver cannot go on. Refuses a ride that is not on the way, and the kind `other` without a reason. */
export async function interruptRide(
  app: App,
  {
    id,
    kind,
    reason,
    place = null,
  }: { id: string; kind: BreakOffKind; reason: string; place?: LonLat | null | undefined },
  driverId: string,
): Promise<{ order: Ride }> {
  if (kind === 'other' && reason === '') throw reasonMissing();
  await changeOrders(app, 'interrupt ride', async (locked) => {
    const ride = await locked.lockRide(id);
    if (ride === null || ride.driverId !== driverId) throw orderNotFound();
    const by: By = { actor: 'driver', actorId: driverId };
    await interrupt(app, locked, ride, { by, kind, reason, place });
  });
  const ride = await rideById(app.db, id);
  return { order: (await rideViews(app, [ride!], driverId))[0]! };
}

/** An admin ends a ride for its driver. Refuses as `interruptRide` does. */
export async function interruptRideAsAdmin(
  app: App,
  { orderNumber, kind, reason }: { orderNumber: string; kind: BreakOffKind; reason: string },
  adminId: string,
): Promise<{ ride: calls.BrokenRide }> {
  if (reason === '') throw reasonMissing();
  const seen = await rideByNumber(app.db, orderNumber.toUpperCase());
  if (seen === null) throw orderNotFound();
  await changeOrders(app, 'interrupt ride as admin', async (locked) => {
    const ride = (await locked.lockRide(seen.id))!;
    const by: By = { actor: 'admin', actorId: adminId };
    await interrupt(app, locked, ride, { by, kind, reason, place: null });
    await app.audit.note(await locked.db(), {
      adminId,
      action: 'ride.brokenOff',
      personId: ride.driverId,
      thingId: ride.id,
      note: reason,
    });
  });
  return { ride: await viewInterruptedRide(app, seen.id) };
}

interface Interruption {
  by: By;
  kind: BreakOffKind;
  reason: string;
  /** The place chosen on the map. */
  place: LonLat | null;
}

async function interrupt(
  app: App,
  locked: LockedOrders,
  ride: RideRow,
  { by, kind, reason, place }: Interruption,
): Promise<void> {
  const bookings = locked.bookingsOfRide(ride.id);
  const facts = rideFacts(ride, locked.stops(ride.id), bookings);
  if (!mayMoveRide(facts, app.clock.now()).includes('breakOff')) throw rideMovedOn();
  const position = await store.positionOf(await locked.db(), ride.id);
  await breakOffRide(app, locked, ride, { by, kind, words: reason, chosen: place, position });
}
