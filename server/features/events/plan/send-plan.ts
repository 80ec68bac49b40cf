import type { OrganisersPlan } from '#contract/events/plan.ts';
import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { assignRides } from '../../matching/service.ts';
import { checkStands, lockOwn, ownEvent } from '../calendar/read-events.ts';
import { standingAt, type Standing } from './plan-state.ts';
import { proposePlaces, type AssignedPlace } from './repair-plan.ts';
import { readPlan } from './read-plan.ts';

interface Pair {
  rideId: string;
  requestId: string;
}

const planMoved = () => movedOn('event.planMoved', 'The plan just changed. Please check it again.');

/**
 * Sends a plan as the organizer saw it. Refuses `event.notFound`, `event.over`, and `event.planMoved` when
 * that plan is no longer possible.
 */
export async function sendPlan(
  app: App,
  organizerId: string,
  id: string,
  places: readonly Pair[],
): Promise<OrganisersPlan> {
  const { db, clock, transact } = app;
  const event = await ownEvent(app, id, organizerId);
  checkStands(app, event);
  const standing = await standingAt(db, event, clock.now());
  const chosen = await Promise.all(standing.map((each) => choosePlaces(app, each, places)));
  if (chosen.reduce((sum, { found }) => sum + found, 0) !== places.length) throw planMoved();
  await transact('send plan', async (tx) => {
    const locked = await lockOwn(app, tx, id, organizerId);
    if (locked.planVersion !== event.planVersion) throw planMoved();
    await proposePlaces(
      app,
      tx,
      locked,
      chosen.flatMap((each) => each.places),
    );
  });
  return readPlan(app, organizerId, id);
}

/**
 * Checks the pairs of one direction together with its existing pairs and bookings. Refuses `event.planMoved`.
 *
 * @returns how many of the pairs are of this direction, and the places of those that were not proposed before
 */
async function choosePlaces(
  app: App,
  standing: Standing,
  pairs: readonly Pair[],
): Promise<{ found: number; places: AssignedPlace[] }> {
  const requests = new Map(standing.requests.map((row) => [row.id, row]));
  const rides = new Map(standing.rides.map((row) => [row.id, row]));
  const taken = new Set(standing.kept.map(({ requestId }) => requestId));
  const barred = new Set(standing.barred.map(({ rideId, requestId }) => `${rideId} ${requestId}`));
  const here = pairs.filter(({ rideId, requestId }) => rides.has(rideId) && requests.has(requestId));
  // Pairs sent a moment ago, by a second tap, are skipped.
  const fresh = here.filter(
    (pair) => !standing.kept.some((one) => one.rideId === pair.rideId && one.requestId === pair.requestId),
  );
  const freshIds = new Set(fresh.map(({ requestId }) => requestId));
  const isTwice = freshIds.size !== fresh.length;
  if (isTwice || fresh.some(({ requestId }) => taken.has(requestId))) throw planMoved();
  if (fresh.some(({ rideId, requestId }) => barred.has(`${rideId} ${requestId}`))) throw planMoved();
  if (fresh.length === 0) return { found: here.length, places: [] };
  const judged = await assignRides(app, {
    ...standing,
    kept: [...standing.kept, ...fresh],
    search: false,
  });
  if (judged.lost.some(({ requestId }) => freshIds.has(requestId))) throw planMoved();
  return {
    found: here.length,
    places: judged.assigned
      .filter(({ requestId }) => freshIds.has(requestId))
      .map((one) => ({ ...one, ride: rides.get(one.rideId)!, request: requests.get(one.requestId)! })),
  };
}
