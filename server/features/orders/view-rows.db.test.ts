import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAskStates, seatedStates } from '#contract/rides/moves.ts';
import type { Booking, Order } from '#contract/rides/views.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import { requestOf, rideOf } from '../../testing/booking-plans.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { newPerson } from '../../testing/people.ts';
import { randomFrom } from '../../testing/random.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const departsAt = () => later(app.clock.now(), 40 * hourMs);

interface Ride {
  id: string;
  driverId: string;
}

interface Request {
  personId: string;
  requestId: string;
}

async function publishRides(seats: readonly number[]): Promise<Ride[]> {
  const rides: Ride[] = [];
  for (const [place, each] of seats.entries()) {
    const { id: driverId } = await newPerson(app.platform, `Driver ${place}`);
    const isInstant = place % 2 === 0;
    const plan = rideOf({ departsAt: departsAt(), vehicleId: null, isInstant, seats: each });
    rides.push({ id: (await app.features.orders.create(driverId, plan)).id, driverId });
  }
  return rides;
}

async function publishRequests(count: number): Promise<[Request, Request, Request, ...Request[]]> {
  const requests: Request[] = [];
  for (let place = 0; place < count; place++) {
    const { id: personId } = await newPerson(app.platform, `Passenger ${place}`);
    const { id } = await app.features.orders.create(personId, requestOf(departsAt()));
    requests.push({ personId, requestId: id });
  }
  return requests as [Request, Request, Request, ...Request[]];
}

type Answer = { order: Order } | { booking: Booking };

/**
 * Does a call, and holds its answer against the same view read anew.
 * @returns what the answer was made from; `refused` where there is none
 */
async function answered(
  viewerId: string,
  call: () => Promise<Answer>,
): Promise<'held' | 'beside' | 'whole' | 'refused'> {
  const { orders } = app.features;
  const answers: Answer[] = [];
  const statements = await statementsOf(async () => {
    try {
      answers.push(await call());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  });
  const [answer] = answers;
  if (answer === undefined) return 'refused';
  if ('order' in answer) expect(answer.order).toEqual(await orders.view(answer.order.id, viewerId));
  else expect(answer.booking).toEqual(await orders.bookingView(answer.booking.id, viewerId));
  const isAny = (part: string) => statements.some((text) => text.includes(part));
  return isAny('"viewerId"') ? 'whole' : isAny('"heldRideIds"') ? 'beside' : 'held';
}

/** A call, and who makes it. */
type Call = [string, () => Promise<Answer>];

/** What the two sides of the open bookings of a request can do about them. */
function callsAbout(request: Order, personId: string, rides: readonly Ride[]): Call[] {
  const { bookings: room } = app.features.orders;
  const cancel = async () => {
    const { seen } = await room.cancelPreview(request.id, personId);
    return room.cancel(personId, { id: request.id, reason: '', seen });
  };
  return request.bookings.flatMap((booking): Call[] => {
    const { id, startedBy, state, rideId } = booking;
    const { driverId } = rides.find((ride) => ride.id === rideId)!;
    const [by, other] = startedBy === 'driver' ? [driverId, personId] : [personId, driverId];
    const place = { id: rideId, bookingId: id, reason: 'No room' };
    const cancelPlace: Call = [driverId, () => room.cancel(driverId, place)];
    if (seatedStates.includes(state)) return [cancelPlace, cancelPlace, cancelPlace, [personId, cancel]];
    if (!openAskStates.includes(state)) return [];
    const accept: Call = [other, () => room.accept(id, other)];
    return [accept, accept, [other, () => room.reject(id, other, 'No')], [by, () => room.withdraw(id, by)]];
  });
}

test('what calls in one transaction answer is the view that is read', async () => {
  const { orders } = app.features;
  const { bookings: room } = orders;
  const rides = await publishRides([3, 3, 3, 3]);
  const asked = await publishRequests(4);
  // Each has asked every other ride in vain.
  for (const { personId, requestId } of asked)
    for (const ride of rides.filter((_, place) => place % 2 === 1)) {
      const { order } = await room.ask(personId, { rideId: ride.id, requestId, message: '' });
      await room.withdraw(order.bookings.at(-1)!.id, personId);
    }
  const answers = await Promise.all(
    asked.map(({ personId, requestId }, place) =>
      room.ask(personId, { rideId: rides[place]!.id, requestId, message: '' }),
    ),
  );
  for (const [place, { order }] of answers.entries())
    expect(order).toEqual(await orders.view(order.id, asked[place]!.personId));
});

test('an ask that is withdrawn after many others is answered as it is read', async () => {
  const { bookings: room } = app.features.orders;
  const ride = (await publishRides([3, 3]))[1]!;
  const asks: { personId: string; bookingId: string }[] = [];
  for (const { personId, requestId } of await publishRequests(7)) {
    const { order } = await room.ask(personId, { rideId: ride.id, requestId, message: '' });
    asks.push({ personId, bookingId: order.bookings[0]!.id });
    app.clock.advance(1000);
  }
  const { personId, bookingId } = asks[0]!;
  expect(await answered(personId, () => room.withdraw(bookingId, personId))).toBe('held');
});

test('a passenger who asks a ride while they wait for others sees their places', async () => {
  const { orders } = app.features;
  const { bookings: room } = orders;
  const [full, other] = (await publishRides([1, 1])) as [Ride, Ride];
  const [joined, first, second] = await publishRequests(3);
  await room.ask(joined.personId, { rideId: full.id, requestId: joined.requestId, message: '' });
  for (const { personId, requestId } of [first, second])
    expect(await answered(personId, () => room.wait(personId, { rideId: full.id, requestId }))).toBe('held');
  const { personId, requestId } = second;
  const ask = () => room.ask(personId, { rideId: other.id, requestId, message: '' });
  expect(await answered(personId, ask)).toBe('beside');
  const shown = await orders.view(requestId, personId);
  expect(shown).toMatchObject({ waitlists: [{ rideId: full.id, place: 2 }] });
});

test('a passenger who waits sees the ride of their latest booking as it is read', async () => {
  const { bookings: room } = app.features.orders;
  // Instant rides have even places.
  const [left, , roomy, full] = (await publishRides([3, 1, 3, 1])) as [Ride, Ride, Ride, Ride];
  const [own, other, third] = await publishRequests(3);
  const ask = async ({ personId, requestId }: Request, { id: rideId }: Ride) =>
    (await room.ask(personId, { rideId, requestId, message: '' })).order.bookings.at(-1)!.id;
  const wait = () => room.wait(own.personId, { rideId: full.id, requestId: own.requestId });
  // They have asked the ride that they wait for in vain, and another passenger has its seat.
  await room.withdraw(await ask(own, full), own.personId);
  await room.accept(await ask(other, full), full.driverId);
  expect(await answered(own.personId, wait)).toBe('held');
  await room.stopWaiting(own.personId, { rideId: full.id, requestId: own.requestId });
  // A driver has let them down, on whose ride another passenger is.
  app.clock.advance(minuteMs);
  await ask(third, left);
  const bookingId = await ask(own, left);
  await room.cancel(left.driverId, { id: left.id, bookingId, reason: 'No room' });
  expect(await answered(own.personId, wait)).toBe('whole');
  // A later ask is on another ride.
  app.clock.advance(minuteMs);
  const { requestId, personId } = own;
  const askRoomy = () => room.ask(personId, { rideId: roomy.id, requestId, message: '' });
  expect(await answered(personId, askRoomy)).toBe('beside');
});

test('what a call answers from what its transaction held is the view that is read', async () => {
  const { orders } = app.features;
  const { bookings: room } = orders;
  const random = randomFrom(7);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const rides = await publishRides([1, 1, 3, 3, 2]);
  const passengers: { id: string; requestId: string | null }[] = [];
  for (let place = 0; place < 7; place++)
    passengers.push({ id: (await newPerson(app.platform, `Passenger ${place}`)).id, requestId: null });
  const departs = departsAt();
  const counts = { held: 0, beside: 0, whole: 0, refused: 0 };

  async function step(): Promise<void> {
    const passenger = pick(passengers);
    const { id: personId } = passenger;
    const known = passenger.requestId === null ? null : await orders.view(passenger.requestId, personId);
    if (known === null || known.role !== 'passenger' || known.stage === 'Completed') {
      passenger.requestId = (await orders.create(personId, requestOf(departs))).id;
      return;
    }
    const ride = pick(rides);
    const ids = { rideId: ride.id, requestId: known.id, message: '' };
    const [viewerId, call] = pick<Call>([
      [personId, () => room.ask(personId, ids)],
      [ride.driverId, () => room.invite(ride.driverId, ids)],
      [personId, () => room.wait(personId, ids)],
      ...callsAbout(known, personId, rides),
    ]);
    counts[await answered(viewerId, call)]++;
    if (random() < 0.3) app.clock.advance(2 * minuteMs);
    if (random() < 0.2) await app.deliver();
  }

  for (let done = 0; done < 250; done++) await step();
  expect(counts.whole).toBeLessThan((counts.held + counts.beside) / 4);
});
