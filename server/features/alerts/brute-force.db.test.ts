import { isNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AlertTimes } from '#contract/alerts/endpoints.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import { alertHits, alerts, alertWindows } from '../../schema/alerts.ts';
import { users } from '../../schema/identity.ts';
import { bookings, requests, rides } from '../../schema/rides.ts';
import { tryEverything, type BruteRide, type BruteWish } from '../../testing/brute-force.ts';
import {
  bruteForceMatches,
  bruteSpots,
  goTogether,
  readAudiences,
  travelBySearch,
} from '../../testing/brute-force-matches.ts';
import { drawCrowd } from '../../testing/crowd.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { randomFrom } from '../../testing/random.ts';
import { sized } from '../../testing/size.ts';
import { trafficPermilleAt, roadNetwork } from '../geo/region-roads.ts';
import { createAlert } from './save-alert.ts';
import { alertSaved, ridesChanged, requestsChanged } from './match-changes.ts';

const startsAt = new Date('2026-11-23T15:00:00Z');

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt });
  const crowd = sized(
    { people: 80, rides: 50, requests: 30, joined: 10 },
    { people: 150, rides: 100, requests: 60, joined: 18 },
  );
  // Alerts are judged by rounded places; trying everything is not.
  await drawCrowd(app, { ...crowd, hours: 4, seed: 3_231, onRoundedPoints: true });
  await saveAlerts(sized(56, 110));
});
afterAll(() => app.close());

type Pick = <T>(list: readonly T[]) => T;

const drawWeekly = (pick: Pick): AlertTimes => ({
  kind: 'weekly',
  days: [1, 3],
  fromTime: pick(['08:00', '09:15']),
  toTime: pick(['10:00', '11:30']),
  until: '2026-12-20',
});

const drawOnce = (earliestAt: Date, pick: Pick): AlertTimes => ({
  kind: 'once',
  earliestAt: earliestAt.toISOString(),
  latestAt: later(earliestAt, pick([20, 60, 150]) * minuteMs).toISOString(),
});

/** Alerts between the places of the crowd, in its hours; every third is weekly. */
async function saveAlerts(most: number): Promise<void> {
  const { db } = app.platform;
  const random = randomFrom(77);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  // By what is drawn the same each time: ids are not.
  const people = (await db.select().from(users)).toSorted((a, b) => a.name.localeCompare(b.name));
  const orders = [...(await db.select().from(rides)), ...(await db.select().from(requests))].toSorted(
    (a, b) => a.fromLon - b.fromLon,
  );
  const near = (lon: number, lat: number) => ({
    name: 'Somewhere',
    detail: '',
    lon: lon + (random() - 0.5) * 0.01,
    lat: lat + (random() - 0.5) * 0.01,
  });
  for (let saved = 0, tries = 0; saved < most; tries++) {
    if (tries > most * 5) throw new Error('The crowd has no room for so many alerts.');
    const order = pick(orders);
    const earliestAt = later(startsAt, hourMs + random() * 4 * hourMs);
    const times = saved % 3 === 0 ? drawWeekly(pick) : drawOnce(earliestAt, pick);
    const { id: owner, gender } = pick(people);
    const isPassenger = saved % 2 === 0;
    const preferences = {
      pets: saved % 5 < (isPassenger ? 1 : 4),
      luggage: saved % 7 < (isPassenger ? 1 : 5),
      quiet: saved % 3 === 0,
      women: saved % 11 < 2 && gender === 'female',
    };
    const common = {
      from: near(order.fromLon, order.fromLat),
      to: near(order.toLon, order.toLat),
      times,
      preferences,
    };
    try {
      await createAlert(
        app.platform,
        owner,
        saved % 2 === 0
          ? {
              role: 'passenger',
              ...common,
              seats: pick([1, 1, 2]),
              offerCents: pick([null, 650, 1000]),
              walkMetres: pick([0, 0, 0, 300]),
            }
          : {
              role: 'driver',
              ...common,
              seats: pick([1, 2, 3]),
              maxDetourMinutes: pick([null, 5, 20]),
              priceKind: pick(['perPerson', 'perCar']),
              costCents: pick([0, 600, 900]),
            },
      );
      saved++;
    } catch (error) {
      // The draw met a place no road leads to.
      if (!(error instanceof Error && 'reason' in error)) throw error;
    }
  }
}

type AlertRow = typeof alerts.$inferSelect;
type WindowRow = typeof alertWindows.$inferSelect;
type RequestRow = typeof requests.$inferSelect;

/** All hits that trying every position in every window finds, from the tables alone: `alert order`. */
async function expectedHits(): Promise<Set<string>> {
  const { db } = app.platform;
  const [allAlerts, allWindows, allRequests] = [
    await db.select().from(alerts),
    await db.select().from(alertWindows),
    await db.select().from(requests),
  ];
  const windowsOf = (id: string) => allWindows.filter(({ alertId }) => alertId === id);
  const ofRole = (wanted: string) => allAlerts.filter(({ role }) => role === wanted);
  const asRequests = ofRole('passenger').flatMap((alert) =>
    windowsOf(alert.id).map((window, index) => asRequest(allRequests[0]!, alert, window, index)),
  );
  const expected = new Set<string>();
  for (const [key, fits] of await bruteForceMatches(app, asRequests))
    for (const rideId of fits.keys()) expected.add(`${key.split(' ')[0]} ${rideId}`);
  for (const hit of await expectedOfDrivers(ofRole('driver'), windowsOf, allRequests)) expected.add(hit);
  // A person who has asked or rides along is not notified of it.
  const owners = new Map(allAlerts.map(({ id, ownerId }) => [id, ownerId]));
  for (const booking of await db.select().from(bookings)) {
    if (['rejected', 'cancel', 'expired'].includes(booking.state)) continue;
    for (const [id, ownerId] of owners) {
      if (ownerId === booking.passengerId) expected.delete(`${id} ${booking.rideId}`);
      if (ownerId === booking.driverId) expected.delete(`${id} ${booking.requestId}`);
    }
  }
  return expected;
}

/** A passenger's alert in one of its windows, as a request that all users may see. */
function asRequest(
  template: RequestRow,
  alert: AlertRow,
  { earliestAt, latestAt }: WindowRow,
  index: number,
): RequestRow {
  const from = { lon: alert.fromLon, lat: alert.fromLat };
  const driveMs = Math.ceil((alert.driveMs * trafficPermilleAt(app.platform, from, latestAt)) / 1000);
  return {
    ...template,
    ...alert,
    id: `${alert.id} ${index}`,
    visibility: 'all users',
    tagIds: [],
    passengerId: alert.ownerId,
    walkMetres: alert.walkMetres!,
    earliestAt,
    latestAt,
    arriveBy: later(latestAt, Math.round(Math.max(driveMs * 1.5, driveMs + 20 * minuteMs))),
  };
}

/** The hits of drivers' alerts among the open requests. */
async function expectedOfDrivers(
  drivers: readonly AlertRow[],
  windowsOf: (alertId: string) => readonly WindowRow[],
  allRequests: readonly RequestRow[],
): Promise<string[]> {
  const { db, clock } = app.platform;
  const sees = await readAudiences(db);
  const travel = travelBySearch(roadNetwork(app.platform));
  const still = allRequests.filter(
    ({ state, latestAt }) =>
      ['matching', 'requesting', 'inviting'].includes(state) && latestAt >= clock.now(),
  );
  return drivers.flatMap((alert) =>
    still
      .filter((request) => {
        if (request.passengerId === alert.ownerId) return false;
        if (!sees(request, request.passengerId, alert.ownerId)) return false;
        if (!goTogether(alert, request)) return false;
        const share = alert.priceKind === 'perPerson' ? alert.costCents! * request.seats : alert.costCents!;
        if (request.offerCents !== null && share > request.offerCents * request.seats) return false;
        const wish = bruteWishOf(request);
        return windowsOf(alert.id).some(
          (window) => tryEverything(bruteRideOf(alert, window), wish, travel) !== null,
        );
      })
      .map((request) => `${alert.id} ${request.id}`),
  );
}

const pointAt = (lon: number, lat: number) => roadNetwork(app.platform).snap({ lon, lat })!;

function bruteRideOf(alert: AlertRow, { earliestAt, latestAt }: WindowRow): BruteRide {
  const [start, end] = [pointAt(alert.fromLon, alert.fromLat), pointAt(alert.toLon, alert.toLat)];
  const stop = { standsMs: 0, earliestMs: -Infinity, latestMs: Infinity, seatsChange: 0 };
  const trafficPermille = trafficPermilleAt(app.platform, start, earliestAt);
  return {
    stops: [
      { ...stop, point: start },
      { ...stop, point: end },
    ],
    seats: alert.seats,
    earliestDepartsMs: earliestAt.getTime(),
    latestDepartsMs: latestAt.getTime(),
    trafficPermille,
    aloneMs: Math.ceil((alert.driveMs * trafficPermille) / 1000),
    maxDetourMs: alert.maxDetourMs!,
  };
}

function bruteWishOf(request: RequestRow): BruteWish {
  const network = roadNetwork(app.platform);
  const from = { lon: request.fromLon, lat: request.fromLat };
  const to = { lon: request.toLon, lat: request.toLat };
  return {
    pickups: bruteSpots(network, from, request.pickupMeetingPoints, request.walkMetres),
    dropoffs: bruteSpots(network, to, request.dropoffMeetingPoints, request.walkMetres),
    seats: request.seats,
    earliestMs: request.earliestAt.getTime(),
    latestMs: request.latestAt.getTime(),
    arriveByMs: request.arriveBy.getTime(),
  };
}

const foundHits = async () =>
  new Set(
    (await app.platform.db.select().from(alertHits).where(isNull(alertHits.goneAt))).map(
      ({ alertId, rideId, requestId }) => `${alertId} ${rideId ?? requestId}`,
    ),
  );

test(
  'an order hits exactly the alerts that trying everything finds, whichever of the two was there first',
  { timeout: 900_000 },
  async () => {
    const expected = await expectedHits();
    await app.deliver();
    expect(await foundHits()).toEqual(expected);
    const byRole = (role: string, hits: ReadonlySet<string>, ids: ReadonlyMap<string, string>) =>
      [...hits].filter((hit) => ids.get(hit.split(' ')[0]!) === role).length;
    const roles = new Map((await app.platform.db.select().from(alerts)).map(({ id, role }) => [id, role]));
    // A test over nothing would prove nothing. Who sees whom is drawn by chance each time, so the numbers
    // vary by a few.
    expect(byRole('passenger', expected, roles)).toBeGreaterThan(sized(4, 25));
    expect(byRole('driver', expected, roles)).toBeGreaterThan(sized(4, 25));

    await app.platform.db.delete(alertHits);
    for (const id of roles.keys()) await alertSaved(app.platform, id);
    expect(await foundHits()).toEqual(expected);

    await app.platform.db.delete(alertHits);
    const changed = (orders: readonly { id: string }[]) => orders.map(({ id }) => ({ id, at: startsAt }));
    await ridesChanged(app.platform, changed(await app.platform.db.select().from(rides)));
    await requestsChanged(app.platform, changed(await app.platform.db.select().from(requests)));
    expect(await foundHits()).toEqual(expected);
  },
);
