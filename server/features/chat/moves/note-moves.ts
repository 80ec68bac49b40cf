import { v5 as namedUuid } from 'uuid';
import type { BookingMove, RideMove } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import type { SignalOf } from '../../../platform/events/listeners.ts';
import { moveSource } from '../../../platform/events/signals.ts';
import { bookingProcess, rideProcess, type BookingChat } from '../../orders/service.ts';
import { roomLineOf } from '../rules/room-line.ts';
import { applyMoves, type RoomMove } from '../rules/room-moves.ts';
import { linesAt, placeOf } from '../store.ts';
import { viewMessage } from '../view.ts';
import { lockRooms, saveMoves } from './store.ts';

export type MoveSignal = SignalOf<'booking.moved' | 'ride.moved'>;

/**
 * Writes the lines of moves into the rooms of their rides and threads. A move that was noted before has its
 * line, and gets no other.
 */
export async function noteMoves(app: App, signals: readonly MoveSignal[]): Promise<void> {
  const moves = signals.flatMap((signal) =>
    signal.name === 'booking.moved' ? roomMovesOfBooking(signal) : roomMovesOfRide(signal),
  );
  if (moves.length > 0) await moveRooms(app, moves);
}

/**
 * Applies moves to their rooms. Each line that is written becomes a signal, which tells it to the members.
 */
export async function moveRooms({ transact, outbox }: App, moves: readonly RoomMove[]): Promise<void> {
  await transact('move rooms', async (tx) => {
    const applied = applyMoves(await lockRooms(tx, moves), moves);
    if (applied.lines.length === 0) return;
    await saveMoves(tx, applied);
    await outbox.emitAll(
      tx,
      applied.lines.map(({ room, seq, leaves, tells }) => ({
        name: 'room.line',
        payload: { roomId: room.id, seq, leaves, userIds: [...tells] },
        key: room.id,
      })),
    );
  });
}

const nothingElse = { enters: [], leaves: null, closes: null, onlyWith: null } as const;

function roomMovesOfBooking(signal: SignalOf<'booking.moved'>): RoomMove[] {
  const { rideId, bookingId, driverId, passengerId, move, actor } = signal.payload;
  const effect: BookingChat = bookingProcess[move as BookingMove].chat;
  const line = roomLineOf(move as BookingMove, actor);
  if (line === null) return [];
  const common = { ...nothingElse, clientId: idOf(moveSource(signal)), at: signal.at };
  const named = { ...common, move: line, personId: move === 'invite' ? driverId : passengerId };
  const thread = { id: bookingId, rideId, bookingId };
  const room = { id: rideId, rideId, bookingId: null };
  const both = [driverId, passengerId];
  const moves: RoomMove[] = [];
  if (effect.thread === 'opens') moves.push({ ...named, room: thread, enters: both });
  else if (effect.thread !== null) moves.push({ ...named, room: thread, closes: effect.thread });
  if (effect.room !== null)
    moves.push({
      ...named,
      room,
      enters: effect.room === 'enters' ? both : [],
      leaves: effect.room === 'leaves' ? passengerId : null,
    });
  // A seat that was reserved for a payment that never came is released: its passenger leaves the ride's room.
  if (effect.thread === 'over')
    moves.push({ ...named, room, move: 'cancel', leaves: passengerId, onlyWith: passengerId });
  return moves;
}

function roomMovesOfRide({
  id,
  at,
  payload: { rideId, driverId, move },
}: SignalOf<'ride.moved'>): RoomMove[] {
  const { chatLine, closesRoom } = rideProcess[move as RideMove];
  if (chatLine === null) return [];
  return [
    {
      ...nothingElse,
      room: { id: rideId, rideId, bookingId: null },
      clientId: idOf(`signal:${id}`),
      move: chatLine,
      personId: driverId,
      at,
      closes: closesRoom ? 'ended' : null,
    },
  ];
}

const ownNamespace = '0b0f5a5e-4c1d-4f0e-9c3f-5a6f2f3f8f3c';
/** The same id for the same source, so that a line is written once. */
const idOf = (source: string): string => namedUuid(source, ownNamespace);

/** Tells members of the lines that were written into their rooms. */
export async function tellRoomLines(app: App, signals: readonly SignalOf<'room.line'>[]): Promise<void> {
  const { kept, realtime } = app;
  const places = signals.map(({ payload }) => payload);
  const lines = await linesAt(kept, places);
  for (const { roomId, seq, userIds, leaves } of places) {
    app.chat.members.forget(roomId);
    const line = lines.get(placeOf({ roomId, seq }));
    if (line !== undefined) realtime.tell(userIds, 'message', viewMessage(line, null));
    // The room's members, and whether it is open, may have changed too.
    realtime.tell(leaves === null ? userIds : [...userIds, leaves], 'changed', {
      topic: 'room',
      id: roomId,
      news: null,
    });
  }
}
