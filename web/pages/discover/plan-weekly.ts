import type { PopularWay } from '#contract/discover/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { firstDeparture, placeIn } from '../../features/discover/commute-times.ts';
import { driverStore } from '../../features/planning/draft.ts';
import { firstWeek } from '../../features/planning/repeat.ts';

/**
 * Starts the plan of a weekly ride on a commute, from one's own places in its neighborhoods where there are
 * some.
 */
export function planWeekly(commute: PopularWay, shortcuts: readonly Place[], today: string): void {
  const local = firstDeparture(commute, today);
  driverStore.write({
    ...driverStore.read(),
    from: placeIn(commute.from, shortcuts),
    to: placeIn(commute.to, shortcuts),
    via: [],
    local,
    weekly: { ...firstWeek(local), weekdays: commute.days },
    back: null,
    eventId: null,
    flightNumber: '',
  });
}

const workdays = [1, 2, 3, 4, 5];

/**
 * Starts the plan of a ride on every workday; where and when is still to be filled in.
 * @param today `2026-11-23`.
 */
export function startWeekly(today: string): void {
  const draft = driverStore.read();
  const { untilDay } = firstWeek(draft.local === '' ? `${today}T00:00` : draft.local);
  driverStore.write({ ...draft, weekly: { weekdays: workdays, untilDay } });
}
