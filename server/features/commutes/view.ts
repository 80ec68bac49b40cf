import type { Area, Companion, OwnWay, PopularWay } from '#contract/discover/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { GeoService } from '../geo/service.ts';
import type { Company } from './rules/company.ts';
import { daysOfMask, timeOf } from './rules/ways.ts';
import type { CountedWay, OpenOrder, WayRow } from './store.ts';

/** Times are told to ten minutes, detours to five. */
const timeStep = 10;
const detourStep = 5;

const areaOf = (geo: Pick<GeoService, 'area'>, id: number, label: string): Area => {
  const area = geo.area(id);
  return label === '' ? area : { ...area, name: label, detail: '' };
};

const endsOf = (
  geo: Pick<GeoService, 'area'>,
  way: Pick<WayRow, 'fromArea' | 'toArea' | 'fromLabel' | 'toLabel'>,
) => ({ from: areaOf(geo, way.fromArea, way.fromLabel), to: areaOf(geo, way.toArea, way.toLabel) });

export const viewCountedWay = (way: CountedWay, geo: Pick<GeoService, 'area'>): PopularWay => ({
  id: `${way.fromArea}-${way.toArea}-${way.part}`,
  ...endsOf(geo, way),
  people: way.people,
  drivers: way.drivers,
  passengers: way.passengers,
  days: daysOfMask(way.days),
  fromTime: timeOf(way.fromMinute, timeStep, Math.floor),
  // At least one step later, also where all leave at one time.
  toTime: timeOf(way.toMinute + 1, timeStep, Math.ceil),
  timeZone: way.timeZone,
  mine: way.mine,
});

export const viewOwnWay = (way: WayRow, geo: Pick<GeoService, 'area'>): OwnWay => ({
  id: way.id,
  role: way.role,
  ...endsOf(geo, way),
  days: daysOfMask(way.days),
  time: timeOf(way.minute, timeStep),
  timeZone: way.timeZone,
  seriesId: way.seriesId,
});

/** Somebody on one's way as one may know them: a first name, neighborhoods, round times. */
export function viewCompanion(
  of: {
    way: WayRow;
    company: Company;
    person: Person;
    isContact: boolean;
    wayId: string;
    next: OpenOrder | null;
  },
  geo: Pick<GeoService, 'area'>,
): Companion {
  const { way, company, person, isContact, wayId, next } = of;
  return {
    // Names written without spaces stay whole.
    person: { ...person, name: person.name.trim().split(/\s+/)[0] ?? '' },
    isContact,
    wayId,
    role: way.role,
    ...endsOf(geo, way),
    days: daysOfMask(company.days),
    time: timeOf(company.minute, timeStep),
    timeZone: way.timeZone,
    detourMinutes: Math.round(company.detourMs / 60_000 / detourStep) * detourStep,
    next: next === null ? null : { orderId: next.id, at: next.at.toISOString(), timeZone: next.timeZone },
  };
}
