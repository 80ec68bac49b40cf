import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { RequestRow, RideRow } from '../../orders/service.ts';
import { updateEvent, type EventColumns } from '../calendar/store.ts';
import type { DirectionPlan } from '../state.ts';
import * as store from './store.ts';

/** A place that a plan assigns, with the rows of its two orders. */
export type AssignedPlace = DirectionPlan['assigned'][number] & {
  ride: RideRow;
  request: RequestRow;
};

/**
 * Inserts places of a plan, increments the plan's version, and emits them to the people concerned. The caller
 * holds the lock on the event.
 */
export async function proposePlaces(
  app: App,
  tx: Db,
  event: EventColumns,
  places: readonly AssignedPlace[],
): Promise<void> {
  const now = app.clock.now();
  const written = await store.insertPlaces(
    tx,
    places.map(({ rideId, requestId, pickupAt, dropoffAt, ride, request }) => ({
      id: randomUUID(),
      eventId: event.id,
      rideId,
      requestId,
      driverId: ride.driverId,
      passengerId: request.passengerId,
      state: 'open',
      pickupAt,
      dropoffAt,
      createdAt: now,
    })),
  );
  for (const place of written) await emitProposed(app, tx, place);
  await updateEvent(tx, event.id, {
    planVersion: event.planVersion + 1,
    planSentAt: event.planSentAt ?? now,
  });
}

const emitProposed = (
  { outbox }: App,
  tx: Db,
  { id: placeId, eventId, rideId, requestId, driverId, passengerId }: store.PlaceRow,
): Promise<void> =>
  outbox.emit(tx, 'event.proposed', { eventId, placeId, rideId, requestId, driverId, passengerId }, eventId);
