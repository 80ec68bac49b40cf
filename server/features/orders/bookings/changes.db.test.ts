import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accept,
  answerChange,
  askToJoin,
  cancelOrder,
  createOrder,
  match,
  orderCalendar,
  orderDetail,
  proposeChange,
  waitlist,
} from '#contract/rides/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import type { Place } from '#contract/units.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { addCard, onboard } from '../../../testing/money.ts';
import { addVehicle, publishRequest, publishRide, spots } from '../../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const rideOf = async (who: TestPerson, id: string) => (await app.ok(who, orderDetail, { id })).order as Ride;
const requestOf = async (who: TestPerson, id: string) =>
  (await app.ok(who, orderDetail, { id })).order as Request;
const shifted = (iso: string, hours: number) => later(new Date(iso), hours * hourMs).toISOString();

interface Passenger {
  person: TestPerson;
  request: Request;
}

/** A ride two days ahead that these people have joined. */
async function joinedRide(names: string[], fields: Record<string, unknown> = {}) {
  const driver = await app.person('Driver');
  const departsAt = later(app.clock.now(), 48 * hourMs).toISOString();
  const ride = await publishRide(app, driver, {
    departsAt,
    instant: true,
    maxDetourMinutes: 30,
    ...fields,
  });
  const passengers: Passenger[] = [];
  for (const name of names) passengers.push(await joining(name, ride));
  return { driver, ride: await rideOf(driver, ride.id), passengers };
}

async function wishing(name: string, ride: Ride): Promise<Passenger> {
  const person = await app.person(name);
  const window = { earliestAt: shifted(ride.departsAt, -0.5), latestAt: shifted(ride.departsAt, 0.75) };
  return { person, request: await publishRequest(app, person, window) };
}

async function joining(name: string, ride: Ride): Promise<Passenger> {
  const passenger = await wishing(name, ride);
  const { person, request } = passenger;
  if (ride.costCents > 0) await addCard(app, person);
  await app.ok(person, askToJoin, { rideId: ride.id, requestId: request.id });
  return passenger;
}

type Way = { from: Place; via: Place[]; to: Place };

async function propose(
  driver: TestPerson,
  ride: Ride,
  part: { departsAt?: string; costCents?: number; way?: Way },
) {
  const { departsAt, costCents, id } = ride;
  const { order } = await app.ok(driver, proposeChange, {
    id,
    departsAt,
    costCents,
    note: 'Roadworks',
    ...part,
  });
  return (order as Ride).change!;
}
const answer = (who: TestPerson, changeId: string, yes: boolean) =>
  app.call(who, answerChange, { changeId, accept: yes });

test('another time applies once everybody on board has accepted, and not before', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann', 'Ben']);
  const [ann, ben] = [passengers[0]!, passengers[1]!];
  // From nine to noon: two hours with the same traffic.
  const departsAt = shifted(ride.departsAt, 3);
  const change = await propose(driver, ride, { departsAt });
  expect(change).toMatchObject({ departsAt, accepted: 0, asked: 2, may: ['withdraw'], note: 'Roadworks' });
  expect((await rideOf(ann.person, ride.id)).change).toMatchObject({ may: ['accept', 'decline'] });
  expect((await answer(ann.person, change.id, true)).code).toBe(200);
  const between = await rideOf(ann.person, ride.id);
  expect(between.departsAt).toBe(ride.departsAt);
  expect(between.change).toMatchObject({ accepted: 1, may: [] });
  expect((await answer(ann.person, change.id, false)).code).toBe(409);
  const before = await rideOf(driver, ride.id);
  expect((await answer(ben.person, change.id, true)).code).toBe(200);
  const after = await rideOf(driver, ride.id);
  expect(after).toMatchObject({ departsAt, earliestDepartsAt: departsAt, change: null });
  expect(after.stops.map(({ at }) => at)).toEqual(before.stops.map(({ at }) => shifted(at, 3)));
  expect(after.bookings.map(({ state }) => state)).toEqual(['joined', 'joined']);
  const request = await requestOf(ann.person, ann.request.id);
  expect(request.earliestAt).toBe(shifted(ann.request.earliestAt, 3));
  expect(request.bookings[0]!.pickup.at).toBe(
    shifted(before.bookings.find(({ requestId }) => requestId === ann.request.id)!.pickup.at, 3),
  );
  // The old time is free for both, the new one is taken.
  const again = { role: 'driver' as const, from: after.from, to: after.to, seats: 1, vehicleId: null };
  const other = { ...again, priceKind: 'perPerson' as const, costCents: 0 };
  const clash = await app.call(driver, createOrder, { order: { ...other, departsAt } });
  expect(clash).toMatchObject({ code: 422, reason: 'order.overlap' });
  const old = await app.call(driver, createOrder, {
    order: { ...other, departsAt: shifted(ride.departsAt, -0.5) },
  });
  expect(old.code).toBe(200);
});

test('who declines leaves free of charge and looks for another ride; the change applies for those who stay', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann', 'Ben']);
  const [ann, ben] = [passengers[0]!, passengers[1]!];
  const departsAt = shifted(ride.departsAt, 3);
  const change = await propose(driver, ride, { departsAt });
  expect((await answer(ann.person, change.id, true)).code).toBe(200);
  const left = await answer(ben.person, change.id, false);
  expect(left).toMatchObject({ code: 200, data: { order: { state: 'matching' } } });
  expect((await requestOf(ben.person, ben.request.id)).bookings[0]).toMatchObject({
    state: 'cancel',
    reason: 'changeDeclined',
  });
  const after = await rideOf(driver, ride.id);
  expect(after).toMatchObject({ departsAt, change: null, seatsFree: 2 });
  expect(after.stops).toHaveLength(4);
});

test('without an answer in time nothing changes for anybody', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann', 'Ben']);
  const change = await propose(driver, ride, { departsAt: shifted(ride.departsAt, 1) });
  expect((await answer(passengers[0]!.person, change.id, true)).code).toBe(200);
  app.clock.advance(12 * hourMs + 1000);
  expect((await answer(passengers[1]!.person, change.id, true)).code).toBe(409);
  await app.scheduler.tick();
  const after = await rideOf(driver, ride.id);
  expect(after).toMatchObject({ departsAt: ride.departsAt, change: null });
  expect(after.bookings.map(({ state }) => state)).toEqual(['joined', 'joined']);
});

test('another price: what each pays is shown before, and is what they pay afterwards, up or down', async () => {
  const owner = await app.person('Owner');
  await onboard(app, owner);
  const vehicleId = await addVehicle(app, owner);
  const departsAt = later(app.clock.now(), 48 * hourMs).toISOString();
  const fields = { departsAt, instant: true, maxDetourMinutes: 30, vehicleId };
  const perCar = await publishRide(app, owner, { ...fields, priceKind: 'perCar', costCents: 2000 });
  const people = [await joining('Ann', perCar), await joining('Ben', perCar)];
  const { seats } = perCar;
  const tooLow = { id: perCar.id, departsAt: perCar.departsAt, costCents: 50 * seats - 1 };
  expect(await app.call(owner, proposeChange, tooLow)).toMatchObject({
    code: 422,
    reason: 'order.carPriceTooLow',
    data: { amountCents: 50 * seats },
  });
  expect((await rideOf(owner, perCar.id)).bookings.map(({ fareCents }) => fareCents)).toEqual([2000, 2000]);
  const change = await propose(owner, await rideOf(owner, perCar.id), { costCents: 3001 });
  expect((await rideOf(people[0]!.person, perCar.id)).change).toMatchObject({ fareCents: 3001 });
  for (const { person } of people) expect((await answer(person, change.id, true)).code).toBe(200);
  const after = await rideOf(owner, perCar.id);
  expect(after.costCents).toBe(3001);
  expect(after.bookings.map(({ fareCents }) => fareCents)).toEqual([3001, 3001]);
});

test('the driver takes a proposal back, a new one replaces it, and strangers neither see nor answer it', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann']);
  const ann = passengers[0]!.person;
  const first = await propose(driver, ride, { departsAt: shifted(ride.departsAt, 1) });
  const second = await propose(driver, ride, { departsAt: shifted(ride.departsAt, 2) });
  expect((await answer(ann, first.id, true)).code).toBe(409);
  const stranger = await app.person('Stranger');
  expect((await rideOf(stranger, ride.id)).change).toBeNull();
  expect((await answer(stranger, second.id, true)).code).toBe(404);
  expect((await answer(driver, second.id, true)).code).toBe(404);
  expect((await answer(driver, second.id, false)).code).toBe(200);
  expect((await rideOf(ann, ride.id)).change).toBeNull();
  expect((await answer(ann, second.id, true)).code).toBe(409);
});

test('what cannot be proposed is refused by field, and nothing is stored', async () => {
  const { driver, ride } = await joinedRide(['Ann']);
  const call = (part: object) =>
    app.call(driver, proposeChange, {
      id: ride.id,
      departsAt: ride.departsAt,
      costCents: ride.costCents,
      ...part,
    });
  expect(await call({})).toMatchObject({ code: 422, reason: 'change.nothing' });
  expect(await call({ departsAt: shifted(ride.departsAt, -100) })).toMatchObject({
    reason: 'order.timePast',
  });
  expect(await call({ costCents: 49 })).toMatchObject({ code: 422, reason: 'order.priceTooLow' });
  expect(await call({ costCents: 900 })).toMatchObject({ code: 422, reason: 'order.vehicleMissing' });
  const soon = later(app.clock.now(), hourMs).toISOString();
  expect(await call({ departsAt: soon })).toMatchObject({ code: 409, reason: 'change.tooLate' });
  await publishRide(app, driver, { departsAt: shifted(ride.departsAt, 6) });
  const taken = await call({ departsAt: shifted(ride.departsAt, 6) });
  expect(taken).toMatchObject({ code: 422, reason: 'order.overlap' });
  expect((await rideOf(driver, ride.id)).change).toBeNull();
  const alone = await publishRide(app, driver, { departsAt: shifted(ride.departsAt, 30) });
  const nobody = await app.call(driver, proposeChange, {
    id: alone.id,
    departsAt: shifted(alone.departsAt, 1),
    costCents: 0,
  });
  expect(nobody).toMatchObject({ code: 409, reason: 'change.nobody' });
});

test('a passenger with another ride at the new time cannot accept, and keeps the old one', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann']);
  const ann = passengers[0]!;
  const departsAt = shifted(ride.departsAt, 5);
  await publishRide(app, ann.person, { departsAt });
  const change = await propose(driver, ride, { departsAt });
  expect(await answer(ann.person, change.id, true)).toMatchObject({ code: 422, reason: 'order.overlap' });
  expect((await rideOf(driver, ride.id)).change).toMatchObject({ accepted: 0 });
});

test('the last one asked leaves by cancelling: the clock applies the change; an open ask of the old terms ends', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann', 'Ben'], { instant: false });
  const [ann, ben] = [passengers[0]!, passengers[1]!];
  for (const { person, request } of passengers) {
    const open = (await requestOf(person, request.id)).bookings.find(({ state }) => state === 'requesting');
    await app.ok(driver, accept, { bookingId: open!.id });
  }
  const late = await joining('Late', ride);
  const departsAt = shifted(ride.departsAt, 4);
  const change = await propose(driver, await rideOf(driver, ride.id), { departsAt });
  await app.ok(ann.person, answerChange, { changeId: change.id, accept: true });
  // A round of a moment ago does not put off the next one.
  await app.scheduler.tick();
  await app.ok(ben.person, cancelOrder, { id: ben.request.id });
  await app.scheduler.tick();
  const after = await rideOf(driver, ride.id);
  expect(after).toMatchObject({ departsAt, change: null });
  expect(after.bookings.find(({ requestId }) => requestId === late.request.id)).toMatchObject({
    state: 'cancel',
    reason: 'changed',
  });
});

test('a seat that is kept for somebody is free again when the terms change', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann', 'Ben'], { seats: 2, maxDetourMinutes: 20 });
  const cleo = await wishing('Cleo', ride);
  await app.ok(cleo.person, waitlist, { rideId: ride.id, requestId: cleo.request.id });
  const change = await propose(driver, ride, { departsAt: shifted(ride.departsAt, 1) });
  await app.ok(passengers[1]!.person, answerChange, { changeId: change.id, accept: false });
  expect((await requestOf(cleo.person, cleo.request.id)).state).toBe('inviting');
  await app.ok(passengers[0]!.person, answerChange, { changeId: change.id, accept: true });
  expect((await requestOf(cleo.person, cleo.request.id)).state).toBe('matching');
  expect(await rideOf(driver, ride.id)).toMatchObject({ change: null, seatsFree: 1 });
  expect((await rideOf(driver, ride.id)).stops).toHaveLength(4);
});

/** Through Soquel instead of along the coast. */
const throughSoquel: Way = { from: spots.westside, via: [spots.soquel], to: spots.aptos };
const mineOf = (stops: Ride['stops'], { request }: Passenger, bookings: Ride['bookings']) => {
  const own = bookings.find(({ requestId }) => requestId === request.id)!;
  return stops.filter(({ bookingId }) => bookingId === own.id).map(({ at }) => at);
};

test('another way: shown before with the new times, and once all have accepted it is the ride’s, to the second', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann', 'Ben']);
  const [ann, ben] = [passengers[0]!, passengers[1]!];
  const change = await propose(driver, ride, { way: throughSoquel });
  const { way } = change;
  expect(way).toMatchObject({
    via: [{ name: 'Soquel Drive' }],
    to: { name: 'Aptos Village' },
    beyondWindow: false,
  });
  expect(way!.driveSeconds).toBeGreaterThan(ride.driveSeconds);
  expect(way!.stops.map(({ kind }) => kind).toSorted()).toEqual(
    ['start', 'via', 'end', 'pickup', 'pickup', 'dropoff', 'dropoff'].toSorted(),
  );
  // Each passenger sees their own stops, and the line of both ways.
  const seen = await app.ok(ann.person, orderDetail, { id: ride.id });
  const shown = (seen.order as Ride).change!.way!;
  expect(shown.stops.filter(({ bookingId }) => bookingId !== null)).toHaveLength(2);
  expect(seen.proposedRoute!.line.length).toBeGreaterThan(2);
  expect(seen.proposedRoute!.line).not.toEqual(seen.route!.line);
  // A passenger who was not asked cannot join during an open change of route.
  const cleo = await wishing('Cleo', ride);
  const late = { rideId: ride.id, requestId: cleo.request.id };
  expect(await app.call(cleo.person, askToJoin, late)).toMatchObject({
    code: 409,
    reason: 'ride.changing',
  });

  for (const { person } of [ann, ben]) expect((await answer(person, change.id, true)).code).toBe(200);
  const after = await rideOf(driver, ride.id);
  expect(after).toMatchObject({
    change: null,
    via: [{ name: 'Soquel Drive' }],
    departsAt: ride.departsAt,
    driveSeconds: way!.driveSeconds,
    driveMetres: way!.driveMetres,
    arrivesAt: way!.arrivesAt,
    seatsFree: 1,
  });
  expect(after.stops.map(({ at, kind, bookingId }) => ({ at, kind, bookingId }))).toEqual(
    way!.stops.map(({ at, kind, bookingId }) => ({ at, kind, bookingId })),
  );
  expect(after.bookings.map(({ state }) => state)).toEqual(['joined', 'joined']);
  const own = (await requestOf(ann.person, ann.request.id)).bookings[0]!;
  expect([own.pickup.at, own.dropoff.at]).toEqual(
    mineOf(shown.stops, ann, (await rideOf(ann.person, ride.id)).bookings),
  );
  // Matching uses the new route: a passenger along it fits now, and joins at once.
  const dan = await app.person('Dan');
  const along = { from: spots.soquel, to: spots.aptos, walkMetres: 0 };
  const window = { earliestAt: shifted(ride.departsAt, 0), latestAt: shifted(ride.departsAt, 1) };
  const wish = await publishRequest(app, dan, { ...along, ...window });
  const found = await app.ok(dan, match, { id: wish.id });
  expect(found.candidates.map((each) => each.ride.id)).toContain(ride.id);
  const joined = await app.ok(dan, askToJoin, { rideId: ride.id, requestId: wish.id });
  expect(joined.order.state).toBe('joined');
});

test('another way, and one declines: free of charge, and those who stay have the times that they accepted', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann', 'Ben']);
  const [ann, ben] = [passengers[0]!, passengers[1]!];
  const change = await propose(driver, ride, {
    way: throughSoquel,
    departsAt: shifted(ride.departsAt, 0.25),
  });
  const before = await rideOf(ann.person, ride.id);
  const shown = mineOf(before.change!.way!.stops, ann, before.bookings);
  await answer(ann.person, change.id, true);
  const left = await answer(ben.person, change.id, false);
  expect(left).toMatchObject({ code: 200, data: { order: { state: 'matching' } } });
  const after = await rideOf(ann.person, ride.id);
  expect(after).toMatchObject({ change: null, via: [{ name: 'Soquel Drive' }], seatsFree: 2 });
  expect(mineOf(after.stops, ann, after.bookings)).toEqual(shown);
  expect((await rideOf(driver, ride.id)).stops.map(({ kind }) => kind).toSorted()).toEqual(
    ['start', 'via', 'pickup', 'dropoff', 'end'].toSorted(),
  );
});

test('a way that is later than somebody asked for says so, and their window follows their yes', async () => {
  const { driver, ride } = await joinedRide([]);
  const ann = await app.person('Ann');
  const latestAt = shifted(ride.departsAt, 0.09);
  const request = await publishRequest(app, ann, { earliestAt: shifted(ride.departsAt, -0.5), latestAt });
  await app.ok(ann, askToJoin, { rideId: ride.id, requestId: request.id });
  // From the other end of town: when the car is downtown, Ann’s latest pick-up is over.
  const way = { from: spots.scottsValley, via: [], to: spots.aptos };
  const change = await propose(driver, ride, { way });
  expect(change.way).toMatchObject({ beyondWindow: true });
  const shown = (await rideOf(ann, ride.id)).change!.way!;
  expect(shown.beyondWindow).toBe(true);
  const pickupAt = shown.stops.find(({ kind }) => kind === 'pickup')!.at;
  expect(pickupAt > latestAt).toBe(true);
  expect((await answer(ann, change.id, true)).code).toBe(200);
  const moved = await requestOf(ann, request.id);
  expect(moved).toMatchObject({ latestAt: pickupAt, earliestAt: request.earliestAt });
  expect(moved.bookings[0]!.pickup.at).toBe(pickupAt);
  expect((await rideOf(driver, ride.id)).from.name).toBe('Mount Hermon Road');
});

test('a way that leaves somebody behind is refused by name, as are places that no road reaches; nothing is stored', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann', 'Ben'], { maxDetourMinutes: 14 });
  const call = (way: Way) =>
    app.call(driver, proposeChange, { id: ride.id, departsAt: ride.departsAt, costCents: 0, way });
  const away = await call({ from: spots.westside, via: [], to: spots.campus });
  expect(away).toMatchObject({
    code: 422,
    reason: 'change.leavesBehind',
    data: { fields: { way: expect.stringContaining('Ann, Ben') } },
  });
  const sea = { name: 'At sea', detail: '', lon: -60, lat: 36.6 };
  const drowned = await call({ from: spots.westside, via: [sea], to: spots.aptos });
  expect(drowned).toMatchObject({ code: 422, data: { fields: { 'way.via.0': expect.any(String) } } });
  const same = await call({ from: spots.westside, via: [], to: spots.westside });
  expect(same).toMatchObject({ code: 422, reason: 'place.same' });
  // The current route is no change.
  expect(await call({ from: spots.westside, via: [], to: spots.aptos })).toMatchObject({
    reason: 'change.nothing',
  });
  expect((await rideOf(passengers[0]!.person, ride.id)).change).toBeNull();
});

test('no answer in time, or taken back: the way stays; two who answer at once are both heard', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann', 'Ben']);
  const lapsing = await propose(driver, ride, { way: throughSoquel });
  await answer(passengers[0]!.person, lapsing.id, true);
  app.clock.advance(12 * hourMs + 1000);
  await app.scheduler.tick();
  expect(await rideOf(driver, ride.id)).toMatchObject({ change: null, via: [] });
  const back = await propose(driver, ride, { way: throughSoquel });
  await answer(driver, back.id, false);
  expect(await rideOf(driver, ride.id)).toMatchObject({ change: null, via: [] });
  const change = await propose(driver, ride, { way: throughSoquel });
  const both = await Promise.all(passengers.map(({ person }) => answer(person, change.id, true)));
  expect(both.map(({ code }) => code)).toEqual([200, 200]);
  const after = await rideOf(driver, ride.id);
  expect(after).toMatchObject({ change: null, via: [{ name: 'Soquel Drive' }] });
  expect(after.stops).toHaveLength(7);
});

test('another way with another price: what each pays is shown before, and is held afterwards', async () => {
  const owner = await app.person('Owner');
  await onboard(app, owner);
  const vehicleId = await addVehicle(app, owner);
  const departsAt = later(app.clock.now(), 48 * hourMs).toISOString();
  const ride = await publishRide(app, owner, {
    departsAt,
    instant: true,
    maxDetourMinutes: 30,
    vehicleId,
    costCents: 1000,
  });
  const ann = await joining('Ann', ride);
  const change = await propose(owner, ride, { way: throughSoquel, costCents: 1250 });
  expect((await rideOf(ann.person, ride.id)).change).toMatchObject({ fareCents: 1250 });
  expect((await answer(ann.person, change.id, true)).code).toBe(200);
  await app.scheduler.tick();
  const own = (await requestOf(ann.person, ann.request.id)).bookings[0]!;
  expect(own).toMatchObject({ state: 'joined', fareCents: 1250, payment: { amountCents: 1250 } });
});

test('the calendar’s entry of a ride keeps its name and is replaced when the ride has changed', async () => {
  const { driver, ride, passengers } = await joinedRide(['Ann']);
  const ann = passengers[0]!;
  const entryOf = async (who: TestPerson, id: string) => {
    const { text, fileName } = await app.ok(who, orderCalendar, { id });
    const valueOf = (name: string) => new RegExp(`^${name}[^:]*:(.*)$`, 'm').exec(text)![1]!.trim();
    return {
      uid: valueOf('UID'),
      sequence: Number(valueOf('SEQUENCE')),
      starts: valueOf('DTSTART;'),
      fileName,
    };
  };
  const [byDriver, byAnn] = [await entryOf(driver, ride.id), await entryOf(ann.person, ann.request.id)];
  expect(byDriver.fileName).toBe(`${ride.orderNumber}.ics`);
  expect(byDriver.uid).not.toBe(byAnn.uid);
  // The same place, from either page.
  expect((await entryOf(ann.person, ride.id)).uid).toBe(byAnn.uid);
  const change = await propose(driver, ride, { departsAt: shifted(ride.departsAt, 24) });
  await app.ok(ann.person, answerChange, { changeId: change.id, accept: true });
  for (const [who, id, before] of [
    [driver, ride.id, byDriver],
    [ann.person, ride.id, byAnn],
  ] as const) {
    const after = await entryOf(who, id);
    expect(after.uid).toBe(before.uid);
    expect(after.sequence).toBeGreaterThan(before.sequence);
    expect(after.starts.slice(9)).toBe(before.starts.slice(9));
    expect(after.starts).not.toBe(before.starts);
  }
  const stranger = await app.person('Stranger');
  const refused = await app.call(stranger, orderCalendar, { id: ride.id });
  expect(refused).toMatchObject({ code: 409, reason: 'order.notJoined' });
});
