import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { RequestRow, RideRow } from '../../orders/service.ts';
import { eventById } from '../calendar/read-events.ts';
import { lockEvent, updateEvent, type EventColumns } from '../calendar/store.ts';
import type { DirectionPlan } from '../state.ts';
import { assignmentsOf, standingAt, type Standing } from './plan-state.ts';
import { placeState } from './rules/place-state.ts';
import * as store from './store.ts';

const tries = 4;

/**
 * Repairs a sent plan: records failed places, and proposes free seats to passengers without a place. Does not
 * move people who have a place.
 */
export async function repairPlan(app: App, id: string): Promise<void> {
  const { realtime, log } = app;
  const sent = await eventById(app, id);
  if (sent === null || sent.planSentAt === null) return;
  // Makes the organizer's page read the plan again, whatever changed.
  realtime.tell([sent.organizerId], 'changed', { topic: 'event', id, news: null });
  for (let attempt = 0; attempt < tries; attempt++) if (await tryRepair(app, id)) return;
  log.warn({ eventId: id }, 'a plan moved faster than it could be repaired');
}

/** One attempt; false where the plan changed meanwhile. */
async function tryRepair(app: App, id: string): Promise<boolean> {
  const { db, clock, transact } = app;
  const event = await reconcile(app, id);
  if (event === null || event.canceledAt !== null || event.endsAt <= clock.now()) return true;
  const standing = await standingAt(db, event, clock.now());
  // The usual case: each passenger has a place.
  if (standing.every(({ requests, kept }) => requests.length <= kept.length)) return true;
  const plans = await assignmentsOf(app, event, standing);
  const places = standing.flatMap((each, at) => freePlaces(each, plans[at]!));
  if (places.length === 0) return true;
  return transact('repair plan', async (tx) => {
    const locked = await lockEvent(tx, id);
    if (locked === null || locked.planVersion !== event.planVersion || locked.canceledAt !== null)
      return false;
    await proposePlaces(app, tx, locked, places);
    return true;
  });
}

/** The places that an assignment gives to passengers without one. */
function freePlaces(standing: Standing, { assigned }: DirectionPlan): AssignedPlace[] {
  const placed = new Set(standing.kept.map(({ requestId }) => requestId));
  return assigned.flatMap((one) => {
    if (placed.has(one.requestId)) return [];
    const ride = standing.rides.find((row) => row.id === one.rideId)!;
    const request = standing.requests.find((row) => row.id === one.requestId)!;
    return [{ ...one, ride, request }];
  });
}

/** Records the state of each place. @returns the event after it, null where it is gone. */
async function reconcile({ clock, transact }: App, id: string): Promise<EventColumns | null> {
  return transact('reconcile', async (tx) => {
    const event = await lockEvent(tx, id);
    if (event === null) return null;
    let changed = false;
    for (const { place, ...of } of await store.placesWithStates(tx, id)) {
      const state = placeState(place.state, of);
      if (state === place.state) continue;
      changed = true;
      const endedAt = state === 'declined' || state === 'gone' ? clock.now() : null;
      await store.setPlaceState(tx, place.id, state, endedAt);
    }
    if (!changed) return event;
    const planVersion = event.planVersion + 1;
    await updateEvent(tx, id, { planVersion });
    return { ...event, planVersion };
  });
}

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
