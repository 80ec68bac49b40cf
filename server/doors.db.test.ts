import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InputOf } from '#contract/define.ts';
import { createAlert, deleteAlert, listAlerts } from '#contract/alerts/endpoints.ts';
import { companions, popularWays } from '#contract/discover/endpoints.ts';
import { createEvent, eventDetail, eventRides, joinAsDriver } from '#contract/events/endpoints.ts';
import { lookAtLink, makeLink, openLink } from '#contract/rides/share-links.ts';
import { createSeries } from '#contract/rides/recurring.ts';
import { discover, explain, match, matchMap, orderDetail, quote } from '#contract/rides/endpoints.ts';
import { roundedPoint } from '#contract/units.ts';
import { greatCircleMetres } from '#roads/graph/geometry.ts';
import { hourMs, later, minuteMs } from './platform/clock.ts';
import { outboxMessages } from './schema/platform.ts';
import { openTestApp, type TestApp, type TestPerson } from './testing/test-app.ts';
import { publishRequest, publishRide, spots, type RideInput } from './testing/orders.ts';
import { catchUp } from './features/commutes/commute-index.ts';
import { describePage } from './features/previews/preview-of-thing.ts';

// Attacks on a door, as people make them who never ride along: each ends at the rounded place that each
// person is shown, or farther away. A second app has everything of the first, but with the door itself on the
// rounded place: whatever is asked, the answers of both are the same, so that no question at all can tell the
// two apart.

const startsAt = new Date('2026-11-23T15:00:00Z');
/** A house 50 metres from the middle of its square: what is shown is off by as much. */
const home = { name: '412 Escalona Drive', detail: 'Santa Cruz 95060', lon: -122.04337, lat: 36.97742 };
const shown = { ...home, ...roundedPoint(home) };
const offMetres = greatCircleMetres(home, shown);
const departsAt = later(startsAt, 24 * hourMs).toISOString();

const window = {
  earliestAt: later(startsAt, 23.5 * hourMs).toISOString(),
  latestAt: later(startsAt, 25 * hourMs).toISOString(),
};

let real: TestApp;
let moved: TestApp;
beforeAll(async () => {
  [real, moved] = [await openTestApp({ startsAt }), await openTestApp({ startsAt })];
});
afterAll(() => Promise.all([real.close(), moved.close()]));

interface Scene {
  app: TestApp;
  driver: TestPerson;
  attacker: TestPerson;
  rideId: string;
}

async function scene(app: TestApp, from: typeof home): Promise<Scene> {
  const [driver, attacker] = [await app.person('Dora Driver'), await app.person('Abel Attacker')];
  const ride = await publishRide(app, driver, { from, to: spots.aptos, departsAt });
  return { app, driver, attacker, rideId: ride.id };
}
/** Ids and the like differ between the two apps; nothing else may. */
const comparable = (answer: unknown): string =>
  JSON.stringify(answer)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/SW-[0-9A-Z]{6}/g, 'number')
    .replaceAll(/code=[\w-]+/g, 'code')
    .replaceAll(/link\/[\w-]{22}/g, 'link')
    .replaceAll(/\/e\/[0-9A-Z]{12}/g, 'short')
    .replaceAll(/"createdAt":"[^"]*"/g, '"createdAt":""');
/** Each address's description for chats and search engines, and the tag of its picture. */
const previewsOf = (app: TestApp, paths: readonly string[]) =>
  Promise.all(
    paths.map(async (each) => {
      const { pathname: path, searchParams: query } = new URL(each, 'http://app');
      const said = await describePage(app.platform, { path, query, language: 'en', network: 'here' });
      const url = said.head.picture.address.replace(app.platform.env.publicUrl, '');
      return { said, picture: (await app.http.inject({ method: 'HEAD', url })).headers['etag'] };
    }),
  );
/** Both are alike; where they are not, the first difference is shown. */
function expectSame(real: unknown, moved: unknown): void {
  const [a, b] = [comparable(real), comparable(moved)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  expect(a.slice(Math.max(0, at - 60), at + 60)).toBe(b.slice(Math.max(0, at - 60), at + 60));
}

const emailsTo = async (app: TestApp, { email }: TestPerson): Promise<string[]> => {
  const rows = await app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, email));
  return rows.map(({ body }) => body);
};

/** An alert of a passenger at a place, for the time of the ride. */
const waitingFrom = (from: RideInput['from']): InputOf<typeof createAlert> => ({
  alert: {
    role: 'passenger',
    from,
    to: spots.capitola,
    seats: 1,
    walkMetres: 0,
    times: { kind: 'once', ...window },
  },
});

const draftFrom = (at: { lon: number; lat: number }, to: { lon: number; lat: number } = spots.capitola) => ({
  fromLon: at.lon,
  fromLat: at.lat,
  toLon: to.lon,
  toLat: to.lat,
  ...window,
  walkMetres: 0,
});

test('the edge of the box around a guest, moved over a ride, finds its rounded place and nothing nearer', async () => {
  const { app, rideId } = await scene(real, home);
  const sees = async (lon: number, lat: number) => {
    // An attacker who stays within the limit on guests' questions.
    app.clock.advance(2000);
    return (await app.ok(null, discover, { lon, lat })).orders.some(({ id }) => id === rideId);
  };
  // The ride is at the edge of what strangers see: its coordinate plus or minus the half of the box.
  const edge = async (inside: number, outside: number, at: (degrees: number) => [number, number]) => {
    let [near, far] = [inside, outside];
    for (let step = 0; step < 40; step++) {
      const middle = (near + far) / 2;
      if (await sees(...at(middle))) near = middle;
      else far = middle;
    }
    return near;
  };
  const [east, west] = [
    await edge(home.lon, home.lon + 2, (lon) => [lon, home.lat]),
    await edge(home.lon, home.lon - 2, (lon) => [lon, home.lat]),
  ];
  const [north, south] = [
    await edge(home.lat, home.lat + 2, (lat) => [home.lon, lat]),
    await edge(home.lat, home.lat - 2, (lat) => [home.lon, lat]),
  ];
  const found = { lon: (east + west) / 2, lat: (north + south) / 2 };
  expect(offMetres).toBeGreaterThan(40);
  expect(greatCircleMetres(found, shown)).toBeLessThan(1);
  expect(greatCircleMetres(found, home)).toBeGreaterThan(offMetres - 1);
});

test('the shortest drive over drafts, and the farthest draft that still fits, tell the rounded place alone', async () => {
  const scenes = [await scene(real, home), await scene(moved, shown)];
  const ask = async (draft: ReturnType<typeof draftFrom>) => {
    const answers = await Promise.all(
      scenes.map(({ app, rideId }) =>
        app.ok(null, match, draft).then(({ candidates, nearMisses }) => ({
          fits: candidates.filter(({ ride }) => ride.id === rideId),
          nearly: nearMisses.filter(({ ride }) => ride.id === rideId),
        })),
      ),
    );
    expectSame(answers[0], answers[1]);
    return answers[0]!;
  };
  // Pick-ups all around the door: the one that is driven to soonest would be the door.
  const told = new Map<number, number>();
  for (let right = -6; right <= 6; right += 2)
    for (let up = -6; up <= 6; up += 3) {
      const at = { lon: home.lon + right * 0.0002, lat: home.lat + up * 0.0002 };
      const [fit] = (await ask(draftFrom(at))).fits;
      if (fit === undefined) continue;
      const ms = Date.parse(fit.pickup.at) - Date.parse(fit.departsAt);
      expect(ms % minuteMs).toBe(0);
      expect(Date.parse(fit.pickup.at) % minuteMs).toBe(0);
      expect(fit.detourSeconds % 60).toBe(0);
      expect(fit.detourMetres % 100).toBe(0);
      told.set(ms, (told.get(ms) ?? 0) + 1);
    }
  expect([...told.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
  // Yes or no: a drop-off moved away from the road until the detour is too long, from three sides.
  for (const bearing of [
    [0, 1],
    [0.6, 0.8],
    [-0.8, 0.6],
  ] as const) {
    let [near, far] = [0, 0.2];
    let answers = 0;
    for (let step = 0; step < 11; step++) {
      const middle = (near + far) / 2;
      const to = {
        ...spots.soquel,
        lon: spots.soquel.lon + bearing[0] * middle,
        lat: spots.soquel.lat + bearing[1] * middle,
      };
      const answer = await real
        .call(null, match, draftFrom(spots.westside, to))
        .then(({ code }) => (code === 200 ? ask(draftFrom(spots.westside, to)) : null));
      if (answer !== null && answer.fits.length > 0) near = middle;
      else far = middle;
      answers += 1;
    }
    expect(answers).toBe(11);
  }
}, 120_000);

test('nothing that is told before joining tells the door from its rounded place', async () => {
  const scenes = [await scene(real, home), await scene(moved, shown)];
  const told = await Promise.all(
    scenes.map(async ({ app, attacker, rideId }) => {
      const { id: requestId } = await publishRequest(app, attacker, { ...window, walkMetres: 0 });
      const { candidates } = await app.ok(attacker, match, { id: requestId });
      const candidate = candidates.find(({ ride }) => ride.id === rideId)!;
      // A score is made of exact times: order is not compared.
      const detail = await app.ok(attacker, orderDetail, { id: rideId });
      const map = await app.ok(attacker, matchMap, { rideId, requestId });
      const why = await app.ok(attacker, explain, { rideId, requestId });
      const { low, high } = await app
        .ok(null, quote, {
          fromLon: spots.westside.lon,
          fromLat: spots.westside.lat,
          toLon: spots.aptos.lon,
          toLat: spots.aptos.lat,
        })
        .then(({ askedLowCents, askedHighCents }) => ({ low: askedLowCents, high: askedHighCents }));
      return { candidate, detail, map, why, low, high };
    }),
  );
  expect(told[0]!.candidate.ride.driveSeconds % 60).toBe(0);
  expect(told[0]!.candidate.ride.driveMetres % 100).toBe(0);
  expect(told[0]!.detail.order.from.approximate).toBe(true);
  expectSame(told[0], told[1]);
});

test('a driver learns as little of the door of somebody who waits', async () => {
  const told = await Promise.all(
    (
      [
        [real, home],
        [moved, shown],
      ] as const
    ).map(async ([app, from]) => {
      const [rider, driver] = [await app.person('Rita Rider'), await app.person('Dan Driver')];
      const request = await publishRequest(app, rider, { ...window, from, walkMetres: 600 });
      const ride = await publishRide(app, driver, { from: spots.westside, departsAt });
      const { candidates } = await app.ok(driver, match, { id: ride.id });
      const candidate = candidates.find((each) => each.request?.id === request.id)!;
      const ids = { rideId: ride.id, requestId: request.id };
      return {
        detour: [candidate.detourSeconds, candidate.detourMetres, candidate.departsAt, candidate.arrivesAt],
        at: [candidate.pickup.at, candidate.dropoff.at],
        request: candidate.request,
        why: await app.ok(driver, explain, ids),
      };
    }),
  );
  expectSame(told[0], told[1]);
});

test('alerts and weekly ways, which cost nothing either, are judged by the rounded place', async () => {
  const told = await Promise.all(
    (
      [
        [real, home],
        [moved, shown],
      ] as const
    ).map(async ([app, from]) => {
      const { attacker, rideId, driver } = await scene(app, from);
      const seen: unknown[] = [];
      for (let step = 0; step < 6; step++) {
        const at = { ...spots.downtown, lat: spots.downtown.lat + step * 0.004 };
        const alert = await app.ok(attacker, createAlert, waitingFrom(at));
        await app.deliver();
        const { alerts } = await app.ok(attacker, listAlerts, {});
        const hit = alerts.flatMap(({ hits }) => hits).find(({ order }) => order.id === rideId);
        seen.push(hit === undefined ? null : [hit.pickupAt, hit.dropoffAt, hit.detourSeconds]);
        await app.ok(attacker, deleteAlert, { id: alert.id });
      }
      // An email tells of what is published while an alert waits.
      await app.ok(attacker, createAlert, waitingFrom(spots.downtown));
      const second = await app.person('Dina Driver');
      await publishRide(app, second, { from, to: spots.aptos, departsAt });
      await app.deliver();
      const letters = await emailsTo(app, attacker);
      const weekly = (who: TestPerson, order: InputOf<typeof createSeries>['series']['order']) =>
        app.ok(who, createSeries, {
          series: {
            order,
            rule: { weekdays: [2, 4], localTime: '07:40', fromDay: '2026-11-24', untilDay: '2026-12-10' },
          },
        });
      const free = { seats: 2, vehicleId: null, priceKind: 'perPerson' as const, costCents: 0 };
      const other = await app.person('Otto Often');
      await weekly(other, { role: 'driver', from, to: spots.capitola, ...free });
      await weekly(attacker, { role: 'driver', from: spots.westside, to: spots.soquel, ...free });
      await app.deliver();
      await catchUp(app.platform);
      const { people } = await app.ok(attacker, companions, {});
      return {
        driver: driver.id,
        seen,
        letters,
        people: people.map(({ detourMinutes, time }) => [detourMinutes, time]),
      };
    }),
  );
  expect(told[0]!.seen.filter((each) => each !== null).length).toBeGreaterThan(0);
  expect(told[0]!.people.length).toBeGreaterThan(0);
  expect(told[0]!.letters.join('')).toContain('min detour');
  expectSame(told[0], told[1]);
});

test('a link, an event’s rides, the page that other sites embed, previews, and popular ways tell no more', async () => {
  const told = await Promise.all(
    (
      [
        [real, home],
        [moved, shown],
      ] as const
    ).map(async ([app, from]) => {
      const { driver, attacker, rideId } = await scene(app, from);
      const { path } = await app.ok(driver, makeLink, { id: rideId });
      const code = new URL(path!, 'http://app').searchParams.get('code')!;
      const linked = await app.ok(null, lookAtLink, { code });
      // A person who has opened a link sees the order as its audience does: they do not ride along
      // yet.
      await app.ok(attacker, openLink, { code });
      const { order } = await app.ok(attacker, orderDetail, { id: rideId });

      const olga = await app.person('Olga Organizer');
      const { id } = await app.ok(olga, createEvent, {
        name: 'Lantern walk',
        place: spots.capitola,
        starts: '2026-11-28T18:00',
        ends: '2026-11-28T20:30',
      });
      await app.ok(driver, joinAsDriver, {
        id,
        from,
        seats: 2,
        vehicleId: null,
        there: { departsAt: '2026-11-29T01:20:00.000Z', flexMinutes: 10 },
        back: { departsAt: '2026-11-29T04:40:00.000Z', flexMinutes: 10 },
      });
      const embedded = await app.http.inject({ method: 'GET', url: `/event/embed?id=${id}` });
      expect(embedded.body).toContain('2 seats offered');
      // Three people who share a route, which no other does in these tests: enough to make it popular.
      for (const name of ['Otto', 'Ossip', 'Odile'])
        await publishRide(app, await app.person(name), { from, to: spots.scottsValley, departsAt });
      await app.deliver();
      await catchUp(app.platform);
      const pages = [path!, `/pages/order/detail?id=${rideId}`, `/pages/events/events?id=${id}`];
      const around = { lon: shown.lon, lat: shown.lat };
      const { ways: all } = await app.ok(null, popularWays, around);
      const ways = all.filter(({ to }) => to.lat > 37.03);
      expect(ways).toMatchObject([{ people: 3 }]);
      return {
        linked,
        order,
        event: await app.ok(attacker, eventDetail, { id }),
        rides: await app.ok(attacker, eventRides, { id }),
        page: embedded.body,
        previews: await previewsOf(app, pages),
        ways,
      };
    }),
  );
  const [{ linked, order, rides, page, previews }] = told as [(typeof told)[0]];
  expect(order.from.approximate).toBe(true);
  for (const text of [linked, order, rides, page, previews].map((each) => JSON.stringify(each))) {
    expect(text).not.toContain('412 Escalona');
    for (const digits of [home.lon, home.lat]) expect(text).not.toContain(String(digits));
  }
  expectSame(told[0], told[1]);
}, 120_000);
