import { randomUUID } from 'node:crypto';
import type { OrganisersPlan } from '#contract/events/plan.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn } from '../../../platform/refusal.ts';
import type { EventRow, EventCalendar } from '../calendar/service.ts';
import type { MatchingService, RideAssignment } from '../../matching/service.ts';
import type { OrdersService } from '../../orders/service.ts';
import { placeState } from './rules/place-state.ts';
import { standingAt, type Standing } from './plan-state.ts';
import * as store from './store.ts';
import { viewWay } from './view.ts';

const mostPlansKept = 30;
/** A plan is read again at every move of somebody in it; each reading may mean a search. */
const mostReads = { times: 240, withinSeconds: 300 };
const tries = 4;

/**
 * The organizer's plan. It seats nobody: it proposes places, and who says yes asks or invites by the ordinary booking.
 * Made on rides as they stand, so whoever has joined, asked or been proposed a place stays where they are.
 */
export function createEventPlan(
  { db, transact, clock, limit, outbox, realtime, log }: Platform,
  features: { events: EventCalendar; matching: MatchingService; rides: OrdersService },
) {
  const { events, matching, rides } = features;
  const kept = new Map<string, { state: string; plans: Promise<RideAssignment[]> }>();

  const solve = (standing: Standing, search: boolean): Promise<RideAssignment> =>
    matching.assign({ ...standing, search });

  /** The plans of both ways; the same answer as long as nothing has moved. */
  function plansOf(event: EventRow, standing: readonly Standing[]): Promise<RideAssignment[]> {
    const state = JSON.stringify(
      standing.map((each) => [
        [...each.rides, ...each.requests, ...each.bookings].map(({ id, version }) => [id, version]),
        each.kept,
        each.barred,
      ]),
    );
    const known = kept.get(event.id);
    if (known?.state === state) return known.plans;
    const plans = Promise.all(standing.map((each) => solve(each, true)));
    kept.delete(event.id);
    kept.set(event.id, { state, plans });
    if (kept.size > mostPlansKept) kept.delete(kept.keys().next().value!);
    plans.catch(() => kept.delete(event.id));
    return plans;
  }

  async function plan(organiserId: string, id: string): Promise<OrganisersPlan> {
    const event = await events.ownById(id, organiserId);
    await limit(`plan:${organiserId}`, mostReads.times, mostReads.withinSeconds);
    const standing = await standingAt(db, event, clock.now());
    const plans = await plansOf(event, standing);
    const rideRows = standing.flatMap((each) => each.rides);
    const requestIds = new Set(standing.flatMap((each) => each.requests.map((row) => row.id)));
    const joinedIds = standing.flatMap((each) => each.bookings.map(({ requestId }) => requestId));
    const [rideViews, requestViews] = await Promise.all([
      rides.rideViews(rideRows, organiserId),
      rides
        .requestsByIds([...new Set([...requestIds, ...joinedIds])])
        .then((rows) => rides.requestViews(rows, organiserId)),
    ]);
    const views = {
      rides: new Map(rideViews.map((view) => [view.id, view])),
      requests: new Map(requestViews.map((view) => [view.id, view])),
    };
    const ways = standing.map((each, at) => viewWay(each, plans[at]!, views));
    return {
      sentAt: event.planSentAt?.toISOString() ?? null,
      ways,
      unsent: ways.flatMap((way) =>
        way.rides.flatMap((ride) => ride.passengers.filter(({ state }) => state === 'planned')),
      ).length,
    };
  }

  /** Writes places of a plan made on version `version` of the event's places, and tells those concerned. */
  async function write(
    tx: Db,
    event: EventRow,
    places: readonly (RideAssignment['assigned'][number] & {
      ride: store.RideRow;
      request: store.RequestRow;
    })[],
  ): Promise<void> {
    const now = clock.now();
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
    for (const { id: placeId, eventId, rideId, requestId, driverId, passengerId } of written)
      await outbox.emit(
        tx,
        'event.proposed',
        { eventId, placeId, rideId, requestId, driverId, passengerId },
        eventId,
      );
    await events.update(tx, event.id, {
      planVersion: event.planVersion + 1,
      planSentAt: event.planSentAt ?? now,
    });
  }

  /** Sends a plan as the organizer has seen it. Refuses `event.planMoved` when it cannot be so any more. */
  async function assign(
    organiserId: string,
    id: string,
    places: readonly { rideId: string; requestId: string }[],
  ): Promise<OrganisersPlan> {
    const event = await events.ownById(id, organiserId);
    events.checkStands(event);
    await limit(`assign:${organiserId}`, 60, 300);
    const moved = () => movedOn('event.planMoved', 'Somebody has moved on. Please look at the plan again.');
    const standing = await standingAt(db, event, clock.now());
    const chosen = await Promise.all(
      standing.map(async (each) => {
        const wanted = new Map(each.requests.map((row) => [row.id, row]));
        const going = new Map(each.rides.map((row) => [row.id, row]));
        const taken = new Set(each.kept.map(({ requestId }) => requestId));
        const barred = new Set(each.barred.map(({ rideId, requestId }) => `${rideId} ${requestId}`));
        const here = places.filter(({ rideId, requestId }) => going.has(rideId) && wanted.has(requestId));
        // What was sent a moment ago, by another tap, is no trouble.
        const fresh = here.filter(
          (pair) => !each.kept.some((one) => one.rideId === pair.rideId && one.requestId === pair.requestId),
        );
        const twice = new Set(fresh.map(({ requestId }) => requestId)).size !== fresh.length;
        if (twice || fresh.some((pair) => taken.has(pair.requestId))) throw moved();
        if (fresh.some(({ rideId, requestId }) => barred.has(`${rideId} ${requestId}`))) throw moved();
        if (fresh.length === 0) return { found: here.length, places: [] };
        const judged = await solve({ ...each, kept: [...each.kept, ...fresh] }, false);
        const isLost = new Set(judged.lost.map(({ requestId }) => requestId));
        if (fresh.some(({ requestId }) => isLost.has(requestId))) throw moved();
        const freshIds = new Set(fresh.map(({ requestId }) => requestId));
        return {
          found: here.length,
          places: judged.assigned
            .filter(({ requestId }) => freshIds.has(requestId))
            .map((one) => ({
              ...one,
              ride: going.get(one.rideId)!,
              request: wanted.get(one.requestId)!,
            })),
        };
      }),
    );
    if (chosen.reduce((sum, { found }) => sum + found, 0) !== places.length) throw moved();
    await transact(async (tx) => {
      const now = await events.lockOwn(tx, id, organiserId);
      if (now.planVersion !== event.planVersion) throw moved();
      await write(
        tx,
        now,
        chosen.flatMap((each) => each.places),
      );
    });
    return plan(organiserId, id);
  }

  /** Notes what has become of each place. */
  async function reconcile(id: string): Promise<EventRow | null> {
    return transact(async (tx) => {
      const event = await events.lock(tx, id);
      if (event === null) return null;
      let changed = false;
      for (const { place, ...of } of await store.placesWithStates(tx, id)) {
        const state = placeState(place.state, of);
        if (state === place.state) continue;
        changed = true;
        await store.setPlaceState(
          tx,
          place.id,
          state,
          state === 'declined' || state === 'gone' ? clock.now() : null,
        );
      }
      if (!changed) return event;
      const planVersion = event.planVersion + 1;
      await events.update(tx, id, { planVersion });
      return { ...event, planVersion };
    });
  }

  /**
   * Keeps a plan that has been sent in repair: what came to nothing is noted, and what is free is proposed to those left
   * standing. Nobody who has a place is moved.
   */
  async function repair(id: string): Promise<void> {
    const sent = await events.byId(id);
    if (sent === null || sent.planSentAt === null) return;
    // The organizer's page reads the plan again, whoever has moved.
    realtime.tell([sent.organiserId], 'changed', { topic: 'event', id, news: null });
    for (let attempt = 0; attempt < tries; attempt++) {
      const event = await reconcile(id);
      if (event === null || event.cancelledAt !== null || event.endsAt <= clock.now()) return;
      const standing = await standingAt(db, event, clock.now());
      // Mostly everybody has a place, or nobody could take those who have none.
      if (standing.every(({ requests, kept: has }) => requests.length <= has.length)) return;
      const plans = await plansOf(event, standing);
      const places = standing.flatMap((each, at) => {
        const has = new Set(each.kept.map(({ requestId }) => requestId));
        return plans[at]!.assigned.flatMap((one) => {
          if (has.has(one.requestId)) return [];
          const ride = each.rides.find((row) => row.id === one.rideId)!;
          const request = each.requests.find((row) => row.id === one.requestId)!;
          return [{ ...one, ride, request }];
        });
      });
      if (places.length === 0) return;
      const written = await transact(async (tx) => {
        const now = await events.lock(tx, id);
        if (now === null || now.planVersion !== event.planVersion || now.cancelledAt !== null) return false;
        await write(tx, now, places);
        return true;
      });
      if (written) return;
    }
    log.warn({ eventId: id }, 'a plan moved faster than it could be repaired');
  }

  return { plan, assign, repair };
}
