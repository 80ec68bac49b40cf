import { afterAll, beforeAll, expect, test } from 'vitest';
import { bruteForceMatches, drawCrowd } from '../../testing/crowd.ts';
import { openTestHouse, type TestHouse } from '../../testing/house.ts';
import { requests, rides } from '../../tables/rides.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse({ startsAt: new Date('2026-11-23T15:00:00Z') });
  await drawCrowd(house, { people: 320, rides: 220, requests: 150, joined: 45, hours: 4, seed: 20_261_123 });
});
afterAll(() => house.close());

test('rides for a request are exactly those that trying everything finds, with the same detour', async () => {
  const open = (await house.base.db.select().from(requests)).filter(
    (request) => request.state === 'matching',
  );
  const expected = await bruteForceMatches(house, open);
  let feasible = 0;
  for (const request of open) {
    const found = await house.rooms.matching.ridesForRequest(request);
    const byRide = new Map(found.map((fit) => [fit.ride.id, fit.insertion.detourMs]));
    expect(byRide, `request ${request.orderNumber}`).toEqual(expected.get(request.id));
    feasible += found.length;
  }
  // A test over nothing would prove nothing.
  expect(open.length).toBeGreaterThan(50);
  expect(feasible).toBeGreaterThan(40);
});

test('requests for a ride are the same pairs seen from the other side', async () => {
  const open = (await house.base.db.select().from(requests)).filter(
    (request) => request.state === 'matching',
  );
  const fromRequests = new Set<string>();
  for (const request of open) {
    for (const fit of await house.rooms.matching.ridesForRequest(request))
      fromRequests.add(`${fit.ride.id} ${request.id}`);
  }
  const fromRides = new Set<string>();
  for (const ride of await house.base.db.select().from(rides)) {
    if (ride.state !== 'matching') continue;
    for (const fit of await house.rooms.matching.requestsForRide(ride))
      fromRides.add(`${ride.id} ${fit.request!.id}`);
  }
  expect(fromRides).toEqual(fromRequests);
});

test('rides with people on board have several stops, and nobody on board is later than they wished', async () => {
  const withStops = await house.base.db.execute<{ late: string; stops: string }>(`
    select count(*) filter (where s.at > case s.kind when 'pickup' then q.latest_at else q.arrive_by end or (s.kind = 'pickup' and s.at < q.earliest_at)) as late, count(*) as stops
    from ride_stops s join bookings b on b.id = s.booking_id join requests q on q.id = b.request_id`);
  expect(Number(withStops.rows[0]!.stops)).toBeGreaterThan(40);
  expect(Number(withStops.rows[0]!.late)).toBe(0);
});
