import { z } from 'zod';
import type { BookingMove, RideMove } from '#contract/rides/moves.ts';
import { id as anId } from '#contract/units.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityService } from '../identity/service.ts';
import { bookingProcess, rideProcess, type BookingChat } from '../orders/service.ts';
import type { RoomMove } from './note-move.ts';
import { roomLineOf } from './rules/room-line.ts';
import type { ChatService } from './service.ts';

export function listenForRooms({ outbox }: Platform, chat: ChatService, identity: IdentityService): void {
  const nameOf = async (id: string) => (await identity.people([id])).get(id)?.name ?? '';

  outbox.on(
    'booking.moved',
    'chat',
    async ({ id, at, payload }) => {
      const { rideId, bookingId, driverId, passengerId, move, actor } = payload;
      const effect: BookingChat = bookingProcess[move as BookingMove].chat;
      const line = roomLineOf(move as BookingMove, actor)!;
      const named = {
        move: line,
        name: await nameOf(move === 'invite' ? driverId : passengerId),
      };
      const moves: RoomMove[] = [];
      if (effect.thread !== null) {
        const room = { id: bookingId, rideId, bookingId };
        const both = [driverId, passengerId];
        moves.push({
          room,
          line: named,
          ...(effect.thread === 'opens' ? { enters: both } : { closes: effect.thread }),
        });
      }
      if (effect.room !== null) {
        moves.push({
          room: { id: rideId, rideId, bookingId: null },
          line: named,
          ...(effect.room === 'enters' ? { enters: [driverId, passengerId] } : {}),
          ...(effect.room === 'leaves' ? { leaves: passengerId } : {}),
        });
      }
      // A seat that was reserved for a payment that never came is released: its passenger leaves the ride's
      // room.
      if (effect.thread === 'over' && (await chat.isIn(rideId, passengerId))) {
        const gone = { move: 'cancel', name: await nameOf(passengerId) };
        moves.push({ room: { id: rideId, rideId, bookingId: null }, line: gone, leaves: passengerId });
      }
      if (moves.length > 0) await chat.noteMove({ id, at }, moves);
    },
    ({ move, actor }) => roomLineOf(move as BookingMove, actor) !== null,
  );

  outbox.on(
    'ride.moved',
    'chat',
    async ({ id, at, payload }) => {
      const { rideId, driverId, move } = payload;
      const { chatLine, closesRoom } = rideProcess[move as RideMove];
      await chat.noteMove({ id, at }, [
        {
          room: { id: rideId, rideId, bookingId: null },
          line: { move: chatLine!, name: await nameOf(driverId) },
          ...(closesRoom ? { closes: 'ended' as const } : {}),
        },
      ]);
    },
    ({ move }) => rideProcess[move as RideMove].chatLine !== null,
  );
}

const typing = z.object({ roomid: anId });

/** Forwards typing signals to the room; ignores malformed ones. */
export function listenForTyping({ realtime }: Platform, chat: ChatService): void {
  realtime.hear('typing', async (userId, said) => {
    const parsed = typing.safeParse(said);
    if (parsed.success) await chat.typing(parsed.data.roomid, userId);
  });
}
