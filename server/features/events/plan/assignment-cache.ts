import type { App } from '../../../app-type.ts';
import { assignRides } from '../../matching/service.ts';
import type { EventColumns } from '../calendar/store.ts';
import type { DirectionPlan } from '../state.ts';
import type { Standing } from './plan-state.ts';

/**
 * The assignments of an event, one for each direction, there and back. Those of recently planned events are
 * cached, so that reading a plan again searches only where its input changed.
 */
export function assignmentsOf(
  app: App,
  event: Pick<EventColumns, 'id'>,
  standing: readonly Standing[],
): Promise<DirectionPlan[]> {
  const { assignments } = app.events;
  const state = JSON.stringify(
    standing.map((each) => [
      [...each.rides, ...each.requests, ...each.bookings].map(({ id, version }) => [id, version]),
      each.kept,
      each.barred,
    ]),
  );
  const known = assignments.get(event.id);
  if (known?.state === state) return known.plans;
  const plans = Promise.all(standing.map((each) => assignRides(app, { ...each, search: true })));
  assignments.set(event.id, { state, plans });
  plans.catch(() => assignments.delete(event.id));
  return plans;
}
