import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Temporal } from 'temporal-polyfill';
import type { LonLat } from '#roads/graph/geometry.ts';
import { recurringOrder } from '#contract/rides/recurring.ts';
import type { Place } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { dayMs, later, minuteMs } from '../../platform/clock.ts';
import { areasOnLine, areaOf, roadNetwork, pointAt } from '../geo/service.ts';
import { defaultMaxDetourMs } from '../matching/service.ts';
import { fromOf, toOf, type EndColumns } from '../orders/service.ts';
import { commutesOf, type Commute, type TravelRecord } from './rules/commutes.ts';
import type { CommuteDrive } from './state.ts';
import * as store from './store.ts';
import type { Travels } from './store.ts';

/** Orders of this many past days count toward a person's commutes. */
const lookBackDays = 28;
/** Most people per run of the scheduled task; the rest follow in the next run. */
const mostAtOnce = 60;
/** Maximum people whose orders are read together. */
const mostTogether = 20;

/** Scheduled task: computes the commutes of people whose orders changed, and of those who are due. */
export async function catchUp(app: App): Promise<void> {
  const { db, clock, log } = app;
  const due = await store.duePeople(db, clock.now(), mostAtOnce);
  for (let first = 0; first < due.length; first += mostTogether) {
    const some = due.slice(first, first + mostTogether);
    try {
      await renewCommutes(app, some);
    } catch {
      // One person's computation fails the transaction of all. In transactions of their own the others are
      // done, and that person is retried in the next run.
      for (const personId of some)
        await renewCommutes(app, [personId]).catch((error: unknown) =>
          log.error({ err: error, personId }, 'the commutes of a person failed'),
        );
    }
  }
}

/** Recomputes the commutes of some people together; skips people whom another process has locked. */
async function renewCommutes(app: App, personIds: readonly string[]): Promise<void> {
  const { transact, clock } = app;
  await transact('renew commutes', async (tx) => {
    const now = clock.now();
    const held = await store.holdDue(tx, personIds, now);
    if (held.length === 0) return;
    const active = held.flatMap(({ personId, takesPart }) => (takesPart ? personId : []));
    const since = later(now, -lookBackDays * dayMs);
    const travels = active.length === 0 ? null : await store.travelsOf(tx, active, since, now);
    const rows: store.CommuteRow[] = [];
    for (const personId of active) {
      const commutes = commutesOf(travelRecords(app, ofPerson(travels!, personId)));
      rows.push(...commutes.flatMap((commute) => rowOf(app, personId, commute) ?? []));
      // Each takes a drive on the roads: the calls of people go on between two.
      await nextTurn();
    }
    // Past days expire, hence the daily recomputation; a person without commutes is due when an order of
    // theirs changes.
    const heldIds = held.map(({ personId }) => personId);
    await store.replaceCommutes(tx, heldIds, rows, later(now, dayMs));
  });
}

/** Of the travels of several people those of one. */
function ofPerson({ running, driven, ridden, awaited }: store.Travels, personId: string): store.Travels {
  const isTheirs = ({ ownerId }: { ownerId: string }) => ownerId === personId;
  return {
    running: running.filter(isTheirs),
    driven: driven.filter(isTheirs),
    ridden: ridden.filter(isTheirs),
    awaited: awaited.filter(isTheirs),
  };
}

/** A commute with its drive; null where no road leads (any more). */
function rowOf(app: App, personId: string, commute: Commute): store.CommuteRow | null {
  const { from, to, tagIds, maxDetourMs, ...rest } = commute;
  const ends = `${from.lon},${from.lat} ${to.lon},${to.lat}`;
  const drive = app.commutes.drives.get(ends) ?? driveOf(app, from, to) ?? 'none';
  app.commutes.drives.set(ends, drive);
  if (drive === 'none') return null;
  return {
    id: randomUUID(),
    personId,
    ...rest,
    ...drive,
    tagIds: [...tagIds],
    fromLabel: areaOf(app, from).label,
    toLabel: areaOf(app, to).label,
    fromLon: from.lon,
    fromLat: from.lat,
    toLon: to.lon,
    toLat: to.lat,
    maxDetourMs: maxDetourMs ?? defaultMaxDetourMs(drive.driveMs),
  };
}

function driveOf(app: App, from: LonLat, to: LonLat): CommuteDrive | null {
  const [start, end] = [pointAt(app, from), pointAt(app, to)];
  const route = start === null || end === null ? null : roadNetwork(app).route(start, end);
  if (route === null) return null;
  return {
    driveMs: route.milliseconds,
    corridor: areasOnLine([[from.lon, from.lat], ...route.line, [to.lon, to.lat]]),
  };
}

const dayMinutes = 1440;

/** A person's recurring orders, rides, requests and alerts as travel records. */
const travelRecords = (app: App, { running, driven, ridden, awaited }: Travels): TravelRecord[] => [
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
