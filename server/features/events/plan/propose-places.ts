import { randomUUID } from 'node:crypto';
import type { Db } from '../../../platform/database/db.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { RideAssignment } from '../../matching/service.ts';
import type { RequestRow, RideRow } from '../../orders/service.ts';
import type { EventColumns } from '../calendar/store.ts';
import { updateEvent } from '../calendar/store.ts';
import type { PlanContext } from './context.ts';
import * as store from './store.ts';

/** A place that a plan assigns, with the rows of its two orders. */
export type AssignedPlace = RideAssignment['assigned'][number] & {
  ride: RideRow;
  request: RequestRow;
};

/**
 * Inserts places of a plan, increments the plan's version, and emits them to the people concerned. The caller
 * holds the lock on the event.
 */
export async function proposePlaces(
  { platform }: PlanContext,
  tx: Db,
  event: EventColumns,
  places: readonly AssignedPlace[],
): Promise<void> {
  const now = platform.clock.now();
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
  for (const place of written) await emitProposed(platform, tx, place);
  await updateEvent(tx, event.id, {
    planVersion: event.planVersion + 1,
    planSentAt: event.planSentAt ?? now,
  });
}

const emitProposed = (
  { outbox }: Platform,
  tx: Db,
  { id: placeId, eventId, rideId, requestId, driverId, passengerId }: store.PlaceRow,
): Promise<void> =>
  outbox.emit(tx, 'event.proposed', { eventId, placeId, rideId, requestId, driverId, passengerId }, eventId);
