import type { OrganisersPlan } from '#contract/events/plan.ts';
import type { App } from '../../../app-type.ts';
import { requestsByIds } from '../../orders/aggregate/queries.ts';
import { orderLines } from '../../orders/service.ts';
import { ownEvent } from '../calendar/read-events.ts';
import { assignmentsOf } from './assignment-cache.ts';
import { standingAt } from './plan-state.ts';
import { viewWay } from './view.ts';

/** The plan of the organizer's own event. Refuses `event.notFound`. */
export async function readPlan(app: App, organizerId: string, id: string): Promise<OrganisersPlan> {
  const { db, clock } = app;
  const event = await ownEvent(app, id, organizerId);
  const standing = await standingAt(db, event, clock.now());
  const plans = await assignmentsOf(app, event, standing);
  const rideRows = standing.flatMap((each) => each.rides);
  const requestIds = new Set(standing.flatMap((each) => each.requests.map((row) => row.id)));
  const joinedIds = standing.flatMap((each) => each.bookings.map(({ requestId }) => requestId));
  const requestRows = await requestsByIds(app.db, [...new Set([...requestIds, ...joinedIds])]);
  const lines = await orderLines(app, { rides: rideRows, requests: requestRows }, organizerId);
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  const ways = standing.map((each, at) => viewWay(each, plans[at]!, lineOf));
  return {
    sentAt: event.planSentAt?.toISOString() ?? null,
    ways,
    unsent: ways.flatMap((way) =>
      way.rides.flatMap((ride) => ride.passengers.filter(({ state }) => state === 'planned')),
    ).length,
  };
}
