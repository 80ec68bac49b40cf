import { roomLines, type RoomLine } from '#contract/chat/room-lines.ts';
import type { Actor, BookingMove } from '#contract/rides/moves.ts';

/** The line of a booking's move in its rooms; null for a move that the chat does not show. */
export function roomLineOf(move: BookingMove, actor: Actor): RoomLine | null {
  if (move === 'cancel' && actor === 'driver') return 'cancelByDriver';
  // A passenger who pays has joined: the others read that line.
  if (move === 'pay') return 'accept';
  return roomLines.find((line) => line === move) ?? null;
}
