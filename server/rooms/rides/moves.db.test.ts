import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bookingMoves,
  bookingStates,
  requestMoves,
  requestStates,
  rideMoves,
  rideStates,
  type Actor,
  type BookingMove,
  type RequestMove,
  type RideMove,
} from '#contract/rides/moves.ts';
import { bookings, moveHistory, requests, rides } from '../../tables/rides.ts';
import { openTestHouse, type TestHouse, type TestPerson } from '../../testing/house.ts';
import { openRequest, openRide } from '../../testing/orders.ts';

const actors: Actor[] = ['driver', 'passenger', 'system'];
let house: TestHouse;
let driver: TestPerson;
let passenger: TestPerson;
beforeAll(async () => {
  house = await openTestHouse();
  [driver, passenger] = [await house.person('Driver'), await house.person('Passenger')];
});
afterAll(() => house.close());

async function attempt(move: () => Promise<unknown>): Promise<boolean> {
  try {
    await move();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ reason: expect.stringMatching(/^(order|booking)\.moved$/) });
    return false;
  }
}

/** A thing moves exactly when the table has the move from its state for the actor; and each move leaves its line. */
async function walk<State extends string, Move extends string>(
  states: readonly State[],
  table: Record<Move, { actors: readonly Actor[]; from: readonly State[] | null; to: State }>,
  tryMove: (state: State, move: Move, actor: Actor) => Promise<boolean>,
): Promise<number> {
  let moved = 0;
  for (const state of states) {
    for (const [move, rule] of Object.entries(table) as [Move, (typeof table)[Move]][]) {
      if (rule.from === null) continue;
      for (const actor of actors) {
        const allowed = rule.from.includes(state) && rule.actors.includes(actor);
        expect(await tryMove(state, move, actor), `${state} → ${move} by ${actor}`).toBe(allowed);
        if (allowed) moved++;
      }
    }
  }
  return moved;
}

test('rides move by the table and by nothing else', async () => {
  const { db } = house.base;
  const departsAt = new Date(house.clock.now().getTime() + 86_400_000);
  const moved = await walk(rideStates, rideMoves, async (state, move, actor) => {
    const [ride] = await db
      .insert(rides)
      .values({ ...openRide({ driverId: driver.id, departsAt }), state })
      .returning();
    return attempt(() =>
      db.transaction((tx) =>
        house.rooms.rides.moves.moveRide(tx, ride!, move as Exclude<RideMove, 'publish'>, {
          actor,
          actorId: driver.id,
        }),
      ),
    );
  });
  expect(await db.$count(moveHistory)).toBe(moved);
});

test('bookings move by the table and by nothing else', async () => {
  const { db } = house.base;
  const at = new Date(house.clock.now().getTime() + 86_400_000);
  const before = await db.$count(moveHistory);
  const moved = await walk(bookingStates, bookingMoves, async (state, move, actor) => {
    const [ride] = await db
      .insert(rides)
      .values(openRide({ driverId: driver.id, departsAt: at }))
      .returning();
    const [request] = await db
      .insert(requests)
      .values(openRequest({ passengerId: passenger.id, earliestAt: at }))
      .returning();
    const [booking] = await db
      .insert(bookings)
      .values({
        id: crypto.randomUUID(),
        rideId: ride!.id,
        requestId: request!.id,
        driverId: driver.id,
        passengerId: passenger.id,
        state,
        startedBy: 'passenger',
        seats: 1,
        pickupLon: 0,
        pickupLat: 0,
        dropoffLon: 0,
        dropoffLat: 0,
        pickupWalkMetres: 0,
        dropoffWalkMetres: 0,
        pickupAt: at,
        dropoffAt: at,
        fareCents: 0,
        detourMs: 0,
        detourMetres: 0,
        createdAt: at,
      })
      .returning();
    return attempt(() =>
      db.transaction((tx) =>
        house.rooms.rides.moves.moveBooking(
          tx,
          booking!,
          move as Exclude<BookingMove, 'ask' | 'invite' | 'offer'>,
          {
            actor,
            actorId: null,
          },
        ),
      ),
    );
  });
  expect(await db.$count(moveHistory)).toBe(before + moved);
});

test('requests move by the table and by nothing else', async () => {
  const { db } = house.base;
  const earliestAt = new Date(house.clock.now().getTime() + 86_400_000);
  await walk(requestStates, requestMoves, async (state, move, actor) => {
    const [request] = await db
      .insert(requests)
      .values({ ...openRequest({ passengerId: passenger.id, earliestAt }), state })
      .returning();
    return attempt(() =>
      db.transaction((tx) =>
        house.rooms.rides.moves.moveRequest(tx, request!, move as Exclude<RequestMove, 'publish'>, {
          actor,
          actorId: null,
        }),
      ),
    );
  });
});
