import { expect, test } from 'vitest';
import {
  bookingMoves,
  endedRideStates,
  failedStates,
  openAskStates,
  openRequestStates,
  requestMoves,
  rideMoves,
  seatedStates,
  type BookingMove,
  type BookingState,
  type RequestMove,
  type RideMove,
} from '#contract/rides/moves.ts';
import { bookingProcess, requestProcess, rideProcess, type BookingProcess } from './process.ts';

const bookings = Object.entries(bookingProcess) as [BookingMove, BookingProcess][];
const fromOf = (move: BookingMove): readonly BookingState[] => bookingMoves[move].from ?? [];
const toOf = (move: BookingMove): BookingState => bookingMoves[move].to;

test('a booking has a deadline exactly while it waits for an answer or a payment', () => {
  const waiting = bookings.filter(([move]) => openAskStates.includes(toOf(move))).map(([move]) => move);
  expect(bookings.filter(([, { deadline }]) => deadline !== null).map(([move]) => move)).toEqual(waiting);
});

test('each move that ends a booking that was not joined cancels its authorization, and closes the thread of the two', () => {
  const ends = bookings.filter(
    ([move]) =>
      failedStates.includes(toOf(move)) && fromOf(move).every((state) => openAskStates.includes(state)),
  );
  expect(ends.length).toBeGreaterThan(4);
  for (const [move, { money, chat }] of ends)
    expect([move, money, chat.thread]).toEqual([move, 'cancel', 'over']);
});

test('a passenger who joins enters the room of the ride', () => {
  const joins = bookings.filter(
    ([move]) => toOf(move) === 'joined' && fromOf(move).every((state) => !seatedStates.includes(state)),
  );
  for (const [move, { chat }] of joins)
    expect([move, chat]).toEqual([move, { thread: 'joined', room: 'enters' }]);
});

test('the room closes when the ride ends, and the waitlist when it leaves or ends', () => {
  for (const move of Object.keys(rideProcess) as RideMove[]) {
    const isOver = endedRideStates.includes(rideMoves[move].to);
    const { closesRoom, endsWaitlist } = rideProcess[move];
    expect([move, closesRoom, endsWaitlist]).toEqual([move, isOver, isOver || move === 'depart']);
  }
});

test('a request waits for seats as long as it looks for a ride', () => {
  for (const move of Object.keys(requestProcess) as RequestMove[])
    expect([move, requestProcess[move].endsWaitlist]).toEqual([
      move,
      !openRequestStates.includes(requestMoves[move].to),
    ]);
});
