import type { Area, Companion, OwnWay, PopularWay } from '#contract/discover/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../app-type.ts';
import { areaById } from '../geo/service.ts';
import type { OpenOrder } from '../orders/audience/queries.ts';
import { daysOfMask, timeOf } from './rules/commutes.ts';
import type { SharedCommute } from './rules/shared-commute.ts';
import type { CountedCommute, CommuteRow } from './store.ts';

/** Times are rounded to ten minutes, detours to five. */
const timeStep = 10;
const detourStep = 5;

const areaOf = (app: App, id: number, label: string): Area => {
  const area = areaById(app, id);
  return label === '' ? area : { ...area, name: label, detail: '' };
};

const endsOf = (app: App, commute: Pick<CommuteRow, 'fromArea' | 'toArea' | 'fromLabel' | 'toLabel'>) => ({
  from: areaOf(app, commute.fromArea, commute.fromLabel),
  to: areaOf(app, commute.toArea, commute.toLabel),
});

export const viewCountedCommute = (app: App, commute: CountedCommute): PopularWay => ({
  id: `${commute.fromArea}-${commute.toArea}-${commute.part}`,
  ...endsOf(app, commute),
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

export const viewOwnCommute = (app: App, commute: CommuteRow): OwnWay => ({
  id: commute.id,
  role: commute.role,
  ...endsOf(app, commute),
  days: daysOfMask(commute.days),
  time: timeOf(commute.minute, timeStep),
  timeZone: commute.timeZone,
  recurringId: commute.recurringId,
});

/** A person with the same commute as a stranger may see them: first name, neighborhoods, rounded times. */
export function viewCompanion(
  app: App,
  of: {
    commute: CommuteRow;
    shared: SharedCommute;
    person: Person;
    isContact: boolean;
    /** The viewer's own commute. */
    wayId: string;
    next: OpenOrder | null;
  },
): Companion {
  const { commute, shared, person, isContact, wayId, next } = of;
  return {
    // Names written without spaces stay whole.
    person: { ...person, name: person.name.trim().split(/\s+/)[0] ?? '' },
    isContact,
    wayId,
    role: commute.role,
    ...endsOf(app, commute),
    days: daysOfMask(shared.days),
    time: timeOf(shared.minute, timeStep),
    timeZone: commute.timeZone,
    detourMinutes: Math.round(shared.detourMs / 60_000 / detourStep) * detourStep,
    next: next === null ? null : { orderId: next.id, at: next.at.toISOString(), timeZone: next.timeZone },
  };
}
