import { randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { seriesOrder } from '#contract/rides/series.ts';
import type { Place } from '#contract/units.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, later, minuteMs } from '../../platform/clock.ts';
import { areasOnLine, type GeoService } from '../geo/service.ts';
import { defaultMaxDetourMs, type MatchingService } from '../matching/service.ts';
import { waysOf, type Trip, type Way } from './rules/ways.ts';
import * as store from './store.ts';

/** Orders of so many days back say how somebody travels. */
const lookBackDays = 28;
/** Of one round of the clock; the rest follows in the next. */
const mostAtOnce = 100;
const dayMinutes = 1440;

/** Keeps the ways people take as their series, orders and alerts have them. */
export function createCommuteIndex(
  { db, transact, clock, log }: Platform,
  geo: GeoService,
  matching: MatchingService,
) {
  const localOf = (at: Date, timeZone: string) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

  /** A day and a time of it, by the clocks of the place. */
  function onDay(at: Date, timeZone: string): Pick<Trip, 'minute' | 'when'> {
    const local = localOf(at, timeZone);
    return {
      minute: local.hour * 60 + local.minute,
      when: { kind: 'day', day: local.toPlainDate().toString(), weekday: local.dayOfWeek },
    };
  }

  const between = (a: Date, b: Date) => new Date((a.getTime() + b.getTime()) / 2);

  function tripsOf({ running, driven, ridden, awaited }: store.Travels): Trip[] {
    const ends = (from: Place, to: Place) => ({
      from,
      to,
      fromArea: geo.areaOf(from).id,
      toArea: geo.areaOf(to).id,
    });
    const stored = (row: EndColumns) =>
      ends(
        { name: row.fromName, detail: row.fromDetail, lon: row.fromLon, lat: row.fromLat },
        { name: row.toName, detail: row.toDetail, lon: row.toLon, lat: row.toLat },
      );
    const order = { isAlert: false, seriesId: null };
    return [
      ...running.map(({ id, template, timeZone, weekdays, localTime }): Trip => {
        const { role, from, to, visibility, tagIds, preferences, ...rest } = seriesOrder.parse(template);
        const minutes = 'maxDetourMinutes' in rest ? rest.maxDetourMinutes : null;
        return {
          ...ends(from, to),
          role,
          timeZone,
          minute: minuteOf(localTime),
          visibility,
          tagIds,
          women: preferences.women,
          maxDetourMs: minutes === null ? null : minutes * minuteMs,
          when: { kind: 'weekly', days: weekdays },
          isAlert: false,
          seriesId: id,
        };
      }),
      ...driven.map((row): Trip => ({
        ...row,
        ...stored(row),
        ...onDay(row.at, row.timeZone),
        ...order,
        role: 'driver',
      })),
      ...ridden.map((row): Trip => ({
        ...row,
        ...stored(row),
        ...onDay(between(row.at, row.until), row.timeZone),
        ...order,
        role: 'passenger',
        maxDetourMs: null,
      })),
      ...awaited.flatMap((row): Trip[] => {
        const { days, fromTime, toTime, at, until, timeZone } = row;
        const common = {
          ...row,
          ...stored(row),
          visibility: 'private' as const,
          tagIds: [],
          isAlert: true,
          seriesId: null,
        };
        if (days !== null && fromTime !== null && toTime !== null) {
          const from = minuteOf(fromTime);
          const lasts = (minuteOf(toTime) - from + dayMinutes) % dayMinutes;
          const minute = Math.floor(from + lasts / 2) % dayMinutes;
          return [{ ...common, minute, when: { kind: 'weekly', days } }];
        }
        if (at === null || until === null) return [];
        return [{ ...common, ...onDay(between(new Date(at), new Date(until)), timeZone) }];
      }),
    ];
  }

  /** A way with its drive; null where no road leads, or none any more. */
  function rowOf(personId: string, way: Way): store.WayRow | null {
    const { from, to, tagIds, maxDetourMs, ...rest } = way;
    const [start, end] = [matching.pointAt(from), matching.pointAt(to)];
    const route = start === null || end === null ? null : geo.network.route(start, end);
    if (route === null) return null;
    return {
      id: randomUUID(),
      personId,
      ...rest,
      tagIds: [...tagIds],
      fromLabel: geo.areaOf(from).label,
      toLabel: geo.areaOf(to).label,
      fromLon: from.lon,
      fromLat: from.lat,
      toLon: to.lon,
      toLat: to.lat,
      driveMs: route.milliseconds,
      maxDetourMs: maxDetourMs ?? defaultMaxDetourMs(route.milliseconds),
      corridor: areasOnLine([[from.lon, from.lat], ...route.line, [to.lon, to.lat]]),
    };
  }

  /** Works the ways of one person out anew, unless somebody else does. */
  async function renew(personId: string): Promise<void> {
    await transact(async (tx) => {
      const now = clock.now();
      if (!(await store.holdDue(tx, personId, now))) return;
      const since = later(now, -lookBackDays * dayMs);
      const trips = (await store.takesPart(tx, personId))
        ? tripsOf(await store.travelsOf(tx, personId, since, now))
        : [];
      const rows = waysOf(trips).flatMap((way) => rowOf(personId, way) ?? []);
      // What lies back grows old by itself; who has no ways is heard of when there is one.
      await store.replaceWays(tx, personId, rows, rows.length === 0 ? null : later(now, dayMs));
    });
  }

  return {
    /** By the clock: works out the ways of those who have changed something, and of those for whom it is time. */
    async catchUp(): Promise<void> {
      await transact((tx) => store.takeChanges(tx, clock.now()));
      for (const personId of await store.duePeople(db, clock.now(), mostAtOnce))
        // One person whose ways fail is tried again in the next round and does not hold up the others.
        await renew(personId).catch((error: unknown) =>
          log.error({ err: error, personId }, 'the ways of a person failed'),
        );
    },
  };
}

interface EndColumns {
  fromName: string;
  fromDetail: string;
  fromLon: number;
  fromLat: number;
  toName: string;
  toDetail: string;
  toLon: number;
  toLat: number;
}

/** Minutes after midnight of `07:40`. */
function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
