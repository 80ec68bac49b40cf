import { Temporal } from 'temporal-polyfill';
import { recurringOrder } from '#contract/rides/recurring.ts';
import type { Place } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { minuteMs } from '../../platform/clock.ts';
import { areaOf } from '../geo/service.ts';
import { fromOf, toOf, type EndColumns } from '../orders/service.ts';
import type { TravelRecord } from './rules/commutes.ts';
import type { Travels } from './store.ts';

const dayMinutes = 1440;

/** A person's recurring orders, rides, requests and alerts as travel records. */
export const travelRecords = (app: App, { running, driven, ridden, awaited }: Travels): TravelRecord[] => [
  ...running.map((series) => recordOfRecurring(app, series)),
  ...driven.map((ride) => recordOfRide(app, ride)),
  ...ridden.map((request) => recordOfRequest(app, request)),
  ...awaited.flatMap((alert) => recordOfAlert(app, alert) ?? []),
];

function recordOfRecurring(
  app: App,
  { id, template, timeZone, weekdays, localTime }: Travels['running'][number],
): TravelRecord {
  const { role, from, to, visibility, tagIds, preferences, ...rest } = recurringOrder.parse(template);
  const minutes = 'maxDetourMinutes' in rest ? rest.maxDetourMinutes : null;
  return {
    ...placed(app, from, to),
    role,
    timeZone,
    minute: minuteOf(localTime),
    visibility,
    tagIds,
    women: preferences.women,
    maxDetourMs: minutes === null ? null : minutes * minuteMs,
    when: { kind: 'weekly', days: weekdays },
    isAlert: false,
    recurringId: id,
  };
}

const recordOfRide = (app: App, ride: Travels['driven'][number]): TravelRecord => ({
  ...ride,
  ...stored(app, ride),
  ...onDay(ride.at, ride.timeZone),
  role: 'driver',
  isAlert: false,
  recurringId: null,
});

const recordOfRequest = (app: App, request: Travels['ridden'][number]): TravelRecord => ({
  ...request,
  ...stored(app, request),
  ...onDay(between(request.at, request.until), request.timeZone),
  role: 'passenger',
  maxDetourMs: null,
  isAlert: false,
  recurringId: null,
});

/** Null where no window of the alert is left. */
function recordOfAlert(app: App, alert: Travels['awaited'][number]): TravelRecord | null {
  const { days, fromTime, toTime, at, until, timeZone } = alert;
  const common = {
    ...alert,
    ...stored(app, alert),
    visibility: 'private',
    tagIds: [],
    isAlert: true,
    recurringId: null,
  } as const;
  if (days !== null && fromTime !== null && toTime !== null) {
    const from = minuteOf(fromTime);
    const lasts = (minuteOf(toTime) - from + dayMinutes) % dayMinutes;
    const minute = Math.floor(from + lasts / 2) % dayMinutes;
    return { ...common, minute, when: { kind: 'weekly', days } };
  }
  if (at === null || until === null) return null;
  return { ...common, ...onDay(between(new Date(at), new Date(until)), timeZone) };
}

const stored = (app: App, row: EndColumns) => placed(app, fromOf(row), toOf(row));

const placed = (app: App, from: Place, to: Place) => ({
  from,
  to,
  fromArea: areaOf(app, from).id,
  toArea: areaOf(app, to).id,
});

/** The day and minute of an instant, in the place's local time. */
function onDay(at: Date, timeZone: string): Pick<TravelRecord, 'minute' | 'when'> {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return {
    minute: local.hour * 60 + local.minute,
    when: { kind: 'day', day: local.toPlainDate().toString(), weekday: local.dayOfWeek },
  };
}

const between = (a: Date, b: Date) => new Date((a.getTime() + b.getTime()) / 2);

/** Minutes after midnight of `07:40`. */
function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
