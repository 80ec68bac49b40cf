import { z } from 'zod';
import type { BookingMove, RideMove } from '#contract/rides/moves.ts';
import { id as anId } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { rideProcess } from '../orders/service.ts';
import { noteMoves, tellRoomLines } from './moves/note-moves.ts';
import { roomLineOf } from './rules/room-line.ts';

export function listenForRooms(app: App): void {
  const { outbox } = app;
  outbox.listen(
    'chat',
    {
      'booking.moved': ({ move, actor }) => roomLineOf(move as BookingMove, actor) !== null,
      'ride.moved': ({ move }) => rideProcess[move as RideMove].chatLine !== null,
    },
    (signals) => noteMoves(app, signals),
  );
  outbox.listen('room lines', { 'room.line': true }, (signals) => tellRoomLines(app, signals));
}

const typing = z.object({ roomid: anId });

/** Forwards typing signals to the room; ignores malformed ones. */
export function listenForTyping(app: App): void {
  app.realtime.hear('typing', async (userId, said) => {
    const parsed = typing.safeParse(said);
    if (parsed.success) await tellTyping(app, parsed.data.roomid, userId);
  });
}

/** Sends a typing signal to the other members of an open room; nothing where the person is not a member. */
async function tellTyping(app: App, roomId: string, userId: string): Promise<void> {
  const room = await app.chat.members.recent(roomId);
  if (room?.isOpen !== true || !room.ids.includes(userId)) return;
  const others = room.ids.filter((id) => id !== userId);
  app.realtime.tell(others, 'typing', { roomid: roomId, userId });
}
