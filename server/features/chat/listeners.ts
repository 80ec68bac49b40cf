import { z } from 'zod';
import type { BookingMove, RideMove } from '#contract/rides/moves.ts';
import { id as anId } from '#contract/units.ts';
import type { Platform } from '../../platform/platform.ts';
import { rideProcess } from '../orders/service.ts';
import { roomLineOf } from './rules/room-line.ts';
import type { ChatService } from './service.ts';

export function listenForRooms({ outbox }: Platform, chat: ChatService): void {
  outbox.listen(
    'chat',
    {
      'booking.moved': ({ move, actor }) => roomLineOf(move as BookingMove, actor) !== null,
      'ride.moved': ({ move }) => rideProcess[move as RideMove].chatLine !== null,
    },
    (signals) => chat.noteMoves(signals),
  );
  outbox.listen('room lines', { 'room.line': true }, chat.tellRoomLines);
}

const typing = z.object({ roomid: anId });

/** Forwards typing signals to the room; ignores malformed ones. */
export function listenForTyping({ realtime }: Platform, chat: ChatService): void {
  realtime.hear('typing', async (userId, said) => {
    const parsed = typing.safeParse(said);
    if (parsed.success) await chat.typing(parsed.data.roomid, userId);
  });
}
