import type { Area, Companion, OwnWay, PopularWay } from '#contract/discover/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { GeoService } from '../geo/service.ts';
import { daysOfMask, timeOf } from './rules/commutes.ts';
import type { SharedCommute } from './rules/shared-commute.ts';
import type { OpenOrder } from '../orders/audience/queries.ts';
import type { CountedWay, WayRow } from './store.ts';

/** Times are rounded to ten minutes, detours to five. */
const timeStep = 10;
const detourStep = 5;

const areaOf = (geo: Pick<GeoService, 'area'>, id: number, label: string): Area => {
  const area = geo.area(id);
  return label === '' ? area : { ...area, name: label, detail: '' };
};

const endsOf = (
  geo: Pick<GeoService, 'area'>,
  commute: Pick<WayRow, 'fromArea' | 'toArea' | 'fromLabel' | 'toLabel'>,
) => ({
  from: areaOf(geo, commute.fromArea, commute.fromLabel),
  to: areaOf(geo, commute.toArea, commute.toLabel),
});

export const viewCountedWay = (commute: CountedWay, geo: Pick<GeoService, 'area'>): PopularWay => ({
  id: `${commute.fromArea}-${commute.toArea}-${commute.part}`,
  ...endsOf(geo, commute),
  people: commute.people,
  drivers: commute.drivers,
  passengers: commute.passengers,
  days: daysOfMask(commute.days),
  fromTime: timeOf(commute.fromMinute, timeStep, Math.floor),
  // At least one step later, even where all leave at the same time.
  toTime: timeOf(commute.toMinute + 1, timeStep, Math.ceil),
  timeZone: commute.timeZone,
  mine: commute.mine,
});

export const viewOwnWay = (commute: WayRow, geo: Pick<GeoService, 'area'>): OwnWay => ({
  id: commute.id,
  role: commute.role,
  ...endsOf(geo, commute),
  days: daysOfMask(commute.days),
  time: timeOf(commute.minute, timeStep),
  timeZone: commute.timeZone,
  recurringId: commute.recurringId,
});

/** A person with the same commute as a stranger may see them: first name, neighborhoods, rounded times. */
export function viewCompanion(
  of: {
    commute: WayRow;
    shared: SharedCommute;
    person: Person;
    isContact: boolean;
    /** The viewer's own commute. */
    wayId: string;
    next: OpenOrder | null;
  },
  geo: Pick<GeoService, 'area'>,
): Companion {
  const { commute, shared, person, isContact, wayId, next } = of;
  return {
    // Names written without spaces stay whole.
    person: { ...person, name: person.name.trim().split(/\s+/)[0] ?? '' },
    isContact,
    wayId,
    role: commute.role,
    ...endsOf(geo, commute),
    days: daysOfMask(shared.days),
    time: timeOf(shared.minute, timeStep),
    timeZone: commute.timeZone,
    detourMinutes: Math.round(shared.detourMs / 60_000 / detourStep) * detourStep,
    next: next === null ? null : { orderId: next.id, at: next.at.toISOString(), timeZone: next.timeZone },
  };
}
