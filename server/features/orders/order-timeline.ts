import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/rides/endpoints.ts';
import type { App } from '../../app-type.ts';
import { peopleByIds } from '../identity/service.ts';
import * as store from './store.ts';
import { visibleOrder } from './visible-order.ts';

/**
 * The history of an order, oldest first; a passenger sees the ride's moves and their own. Refuses
 * `order.notFound`.
 */
export async function orderTimeline(
  app: App,
  id: string,
  viewerId: string,
): Promise<OutputOf<typeof calls.orderTimeline>> {
  const { db } = app;
  const found = await visibleOrder(app, id, viewerId);
  const rows =
    'ride' in found
      ? await store.historyOf(db, { rideId: found.ride.id })
      : await store.historyOf(db, { requestId: found.request.id });
  const ofBookings = await store.bookingsByIds(
    db,
    rows.flatMap((row) => (row.thing === 'booking' ? row.thingId : [])),
  );
  const bookings = new Map(ofBookings.map((booking) => [booking.id, booking]));
  const visible = rows.filter((row) => {
    if (row.thing !== 'booking') return true;
    const booking = bookings.get(row.thingId);
    return booking !== undefined && (booking.driverId === viewerId || booking.passengerId === viewerId);
  });
  const people = await peopleByIds(app, [
    ...new Set([
      ...visible.flatMap((row) => row.actorId ?? []),
      ...ofBookings.map((booking) => booking.passengerId),
    ]),
  ]);
  return {
    entries: visible.map((row) => ({
      at: row.at.toISOString(),
      thing: row.thing,
      move: row.move,
      to: row.toState as never,
      actor: row.actor,
      // An admin acts in the name of the app.
      actorName: row.actorId === null || row.actor === 'admin' ? '' : (people.get(row.actorId)?.name ?? ''),
      passengerName:
        row.thing === 'booking' ? (people.get(bookings.get(row.thingId)?.passengerId ?? '')?.name ?? '') : '',
      note: row.note,
    })),
  };
}
