import { expect, test } from 'vitest';
import { bookingMoves, type Actor, type BookingMove } from '#contract/rides/moves.ts';
import { bookingProcess } from '../../orders/process.ts';
import { roomLineOf } from './room-line.ts';

test('each move that the chat tells has a line', () => {
  for (const move of Object.keys(bookingMoves) as BookingMove[]) {
    const { thread, room } = bookingProcess[move].chat;
    for (const actor of bookingMoves[move].actors as readonly Actor[])
      if (thread !== null || room !== null) expect([move, roomLineOf(move, actor)]).not.toEqual([move, null]);
  }
});

test('a cancellation says whose it was, and a payment that the passenger has joined', () => {
  expect(roomLineOf('cancel', 'driver')).toBe('cancelByDriver');
  expect(roomLineOf('cancel', 'passenger')).toBe('cancel');
  expect(roomLineOf('pay', 'system')).toBe('accept');
});
