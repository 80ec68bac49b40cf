import { eq, or } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  actors,
  bookingMoves,
  bookingStates,
  requestMoves,
  requestStates,
  rideMoves,
  rideStates,
  type Actor,
  type BookingMove,
  type BookingState,
  type RequestMove,
  type RideMove,
  type RideState,
} from '#contract/rides/moves.ts';
import { Refusal } from '../../platform/refusal.ts';
import { bookings, moveHistory, requests, rides } from '../../schema/rides.ts';
import { askedBooking, openRequest, openRide } from '../../testing/orders.ts';
import { sized } from '../../testing/size.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { arrive, depart } from '../trips/depart-and-arrive.ts';
import { interruptRide } from '../trips/interrupt-ride.ts';
import { noteContact, reportNoShow, reportDriver } from '../trips/no-show.ts';
import { pickUp, confirmMeeting } from '../trips/pickup.ts';
import { reach } from '../trips/reach.ts';
import { changeOrders } from './aggregate/locked-orders.ts';
import { acceptBooking } from './bookings/accept-booking.ts';
import { authorizeBooking } from './bookings/booking-payment.ts';
import { cancelOrder } from './bookings/cancel-order.ts';
import { rejectBooking, withdrawBooking } from './bookings/close-booking.ts';
import { askToJoin, inviteToRide } from './bookings/open-booking.ts';
import { proposeChange } from './bookings/propose-change.ts';
import { joinWaitlist } from './bookings/waitlist.ts';
import { moveRide, moveBooking, moveRequest } from './decide/moves.ts';

let app: TestApp;
let driver: TestPerson;
let passenger: TestPerson;
beforeAll(async () => {
  app = await openTestApp();
  [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
});
afterAll(() => app.close());

async function attempt(move: () => Promise<unknown>): Promise<boolean> {
  try {
    await move();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ reason: expect.stringMatching(/^(order|booking)\.moved$/) });
    return false;
  }
}

/**
 * A thing moves exactly when the table has the move from its state for the actor; and each move leaves its
 * line. What a refused move has left as it was is tried again.
 */
async function walk<State extends string, Move extends string, Thing>(
  states: readonly State[],
  table: Record<Move, { actors: readonly Actor[]; from: readonly State[] | null; to: State }>,
  {
    make,
    tryMove,
  }: {
    make: (state: State) => Promise<Thing>;
    tryMove: (thing: Thing, move: Move, actor: Actor) => Promise<boolean>;
  },
): Promise<number> {
  let moved = 0;
  for (const state of states) {
    let thing = await make(state);
    for (const [move, rule] of Object.entries(table) as [Move, (typeof table)[Move]][]) {
      if (rule.from === null) continue;
      for (const actor of actors) {
        const allowed = rule.from.includes(state) && rule.actors.includes(actor);
        expect(await tryMove(thing, move, actor), `${state} → ${move} by ${actor}`).toBe(allowed);
        if (!allowed) continue;
        moved++;
        thing = await make(state);
      }
    }
  }
  return moved;
}

test('rides move by the table and by nothing else', async () => {
  const { db } = app.platform;
  const departsAt = new Date(app.clock.now().getTime() + 86_400_000);
  const moved = await walk(rideStates, rideMoves, {
    make: async (state) => {
      const values = { ...openRide({ driverId: driver.id, departsAt }), state };
      return (await db.insert(rides).values(values).returning())[0]!;
    },
    tryMove: (ride, move, actor) =>
      attempt(() =>
        changeOrders(app.platform, 'try move', async (tx) => {
          await tx.lockRide(ride.id);
          return moveRide(app.platform, tx, ride, {
            move: move as Exclude<RideMove, 'publish'>,
            by: {
              actor,
              actorId: driver.id,
            },
          });
        }),
      ),
  });
  expect(await db.$count(moveHistory)).toBe(moved);
});

async function insertTrio(state: BookingState, rideState: RideState = 'matching') {
  const { db } = app.platform;
  const at = new Date(app.clock.now().getTime() + 86_400_000);
  const [ride] = await db
    .insert(rides)
    .values({ ...openRide({ driverId: driver.id, departsAt: at }), state: rideState })
    .returning();
  const [request] = await db
    .insert(requests)
    .values(openRequest({ passengerId: passenger.id, earliestAt: at }))
    .returning();
  const [booking] = await db
    .insert(bookings)
    .values({
      ...askedBooking({ ride: ride!, request: request!, at }),
      state,
    })
    .returning();
  return { ride: ride!, request: request!, booking: booking! };
}

test('bookings move by the table and by nothing else', async () => {
  const { db } = app.platform;
  const before = await db.$count(moveHistory);
  const moved = await walk(bookingStates, bookingMoves, {
    make: async (state) => (await insertTrio(state)).booking,
    tryMove: (booking, move, actor) =>
      attempt(() =>
        changeOrders(app.platform, 'try move', async (tx) => {
          await tx.lockRide(booking.rideId, [booking.requestId]);
          return moveBooking(app.platform, tx, booking, {
            move: move as Exclude<BookingMove, 'ask' | 'invite' | 'offer'>,
            by: { actor, actorId: null },
            expiresAt: app.clock.now(),
          });
        }),
      ),
  });
  expect(await db.$count(moveHistory)).toBe(before + moved);
});

test('requests move by the table and by nothing else', async () => {
  const { db } = app.platform;
  const earliestAt = new Date(app.clock.now().getTime() + 86_400_000);
  await walk(requestStates, requestMoves, {
    make: async (state) => {
      const values = { ...openRequest({ passengerId: passenger.id, earliestAt }), state };
      return (await db.insert(requests).values(values).returning())[0]!;
    },
    tryMove: (request, move, actor) =>
      attempt(() =>
        changeOrders(app.platform, 'try move', async (tx) => {
          await tx.lockRequest(request.id);
          return moveRequest(app.platform, tx, request, {
            move: move as Exclude<RequestMove, 'publish'>,
            by: {
              actor,
              actorId: null,
            },
          });
        }),
      ),
  });
});

/** Every call that moves a ride, a request or a booking, as one person makes it. */
function callsOf(of: Awaited<ReturnType<typeof insertTrio>>, who: string): (() => Promise<unknown>)[] {
  const [rideId, requestId, bookingId] = [of.ride.id, of.request.id, of.booking.id];
  const departsAt = new Date(of.ride.departsAt.getTime() + 60_000).toISOString();
  return [
    () => acceptBooking(app.platform, bookingId, who),
    () => rejectBooking(app.platform, bookingId, who, 'No'),
    () => withdrawBooking(app.platform, bookingId, who),
    () => authorizeBooking(app.platform, who, { bookingId }),
    () => askToJoin(app.platform, who, { rideId, requestId, message: '' }),
    () => inviteToRide(app.platform, who, { rideId, requestId, message: '' }),
    () => joinWaitlist(app.platform, who, { rideId, requestId }),
    () => proposeChange(app.platform, who, { id: rideId, departsAt, costCents: 0, note: '' }),
    () => reach(app.platform, { id: rideId, reason: 'I am here' }, who),
    () => reach(app.platform, { id: rideId, bookingId, reason: 'I am here' }, who),
    () => depart(app.platform, rideId, who),
    () => pickUp(app.platform, { bookingId, undo: false }, who),
    () => confirmMeeting(app.platform, bookingId, false, who),
    () => pickUp(app.platform, { bookingId, undo: true }, who),
    () => confirmMeeting(app.platform, bookingId, true, who),
    () => noteContact(app.platform, { bookingId, kind: 'call' }, who),
    () => reportNoShow(app.platform, bookingId, who),
    () => reportDriver(app.platform, bookingId, who),
    () => arrive(app.platform, rideId, bookingId, who),
    () => arrive(app.platform, rideId, undefined, who),
    () => interruptRide(app.platform, { id: rideId, kind: 'breakdown', reason: '' }, who),
    () => cancelOrder(app.platform, who, { id: rideId, bookingId, reason: 'No' }),
    () => cancelOrder(app.platform, who, { id: rideId, reason: 'No' }),
    () => cancelOrder(app.platform, who, { id: requestId, reason: '' }),
  ];
}

const stateOf = async (of: Awaited<ReturnType<typeof insertTrio>>) => {
  const { db } = app.platform;
  const [ride] = await db.select().from(rides).where(eq(rides.id, of.ride.id));
  const [request] = await db.select().from(requests).where(eq(requests.id, of.request.id));
  const [booking] = await db.select().from(bookings).where(eq(bookings.id, of.booking.id));
  return { ride, request, booking };
};

test('to a stranger every call answers that there is no such thing, whatever the states, and does nothing', async () => {
  const stranger = await app.person('Stranger');
  for (const [index, state] of bookingStates.entries()) {
    const trio = await insertTrio(state, rideStates[index % rideStates.length]);
    const lines = await app.platform.db.$count(moveHistory);
    for (const call of callsOf(trio, stranger.id))
      await expect(call(), `${state}: ${String(call)}`).rejects.toMatchObject({ code: 404 });
    expect(await stateOf(trio)).toEqual(trio);
    expect(await app.platform.db.$count(moveHistory)).toBe(lines);
  }
});

test('whatever its two sides call in whatever states, only moves of the tables come of it', async () => {
  const { db } = app.platform;
  const tables = { ride: rideMoves, request: requestMoves, booking: bookingMoves };
  const pairs: [BookingState, RideState][] = [
    ...bookingStates.map(
      (state, index) => [state, index % 2 === 0 ? 'picking' : 'matching'] as [BookingState, RideState],
    ),
    ...rideStates.map((state) => ['waiting', state] as [BookingState, RideState]),
  ];
  let moved = 0;
  const sides = [
    { id: driver.id, side: 'driver' },
    { id: passenger.id, side: 'passenger' },
  ] as const;
  for (const [index, [bookingState, rideState]] of pairs.entries())
    // In turn, or each.
    for (const { id, side } of sized<readonly (typeof sides)[number][]>(
      [sides[(index + (index >> 1)) % 2]!],
      sides,
    )) {
      const trio = await insertTrio(bookingState, rideState);
      for (const call of callsOf(trio, id))
        await call().catch((error: unknown) => expect(error).toBeInstanceOf(Refusal));
      const lines = await db
        .select()
        .from(moveHistory)
        .where(or(eq(moveHistory.rideId, trio.ride.id), eq(moveHistory.requestId, trio.request.id)));
      for (const { thing, move, fromState, toState, actor } of lines) {
        const rule = (
          tables[thing] as Record<
            string,
            { actors: readonly string[]; from: readonly string[] | null; to: string }
          >
        )[move]!;
        expect(rule, `${thing} ${move}`).toBeDefined();
        expect(rule.to).toBe(toState);
        expect(rule.from, `${thing}: ${String(fromState)} → ${move}`).toContain(fromState);
        expect(rule.actors).toContain(actor);
        expect(['system', side], `${move} in the name of the other side`).toContain(actor);
        moved++;
      }
    }
  expect(moved).toBeGreaterThan(sized(25, 50));
}, 180_000);
