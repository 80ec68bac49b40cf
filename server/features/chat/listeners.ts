import { z } from 'zod';
import type { BookingMove, RideMove } from '#contract/rides/moves.ts';
import { id as anId } from '#contract/units.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityService } from '../identity/service.ts';
import type { ChatService, RoomMove } from './service.ts';

/** What a move means for the thread of the two, and for the ride's room; null for nothing. */
type Effect = {
  thread: 'opens' | 'joined' | 'over' | null;
  ride: 'enters' | 'leaves' | 'line' | null;
};

const nothing = { thread: null, ride: null } as const;
const opens = { thread: 'opens', ride: null } as const;
const over = { thread: 'over', ride: null } as const;
const enters = { thread: 'joined', ride: 'enters' } as const;
const line = { thread: null, ride: 'line' } as const;

/** Every move is named, so that a new one is not forgotten. */
const ofBooking = {
  ask: opens,
  invite: opens,
  offer: opens,
  accept: enters,
  joinAtOnce: enters,
  acceptInvitation: enters,
  agree: nothing,
  pay: enters,
  holdFailed: nothing,
  secureAnew: nothing,
  reject: over,
  declineInvitation: over,
  withdraw: over,
  withdrawInvitation: over,
  expire: over,
  cancel: { thread: null, ride: 'leaves' },
  gather: nothing,
  reach: line,
  meet: nothing,
  board: line,
  undoMeet: nothing,
  noShow: line,
  reportDriver: line,
  meetLate: nothing,
  boardLate: line,
  dropOff: line,
  // The line of the ride says it.
  breakOff: nothing,
  agreeRidden: nothing,
  leaveOpen: nothing,
} satisfies Record<BookingMove, Effect>;

const ofRide = {
  publish: null,
  fill: null,
  reopen: null,
  gather: 'gather',
  ungather: null,
  reach: 'reachStart',
  depart: 'depart',
  approach: null,
  carryOn: null,
  arrive: 'arrive',
  endEmpty: 'arrive',
  cancel: 'cancelRide',
  breakOff: 'breakOff',
  conclude: 'arrive',
  expire: 'expireRide',
} satisfies Record<RideMove, string | null>;

const closing: readonly string[] = ['arrive', 'endEmpty', 'conclude', 'cancel', 'breakOff', 'expire'];

export function listenForRooms({ outbox }: Platform, chat: ChatService, identity: IdentityService): void {
  const nameOf = async (id: string) => (await identity.people([id])).get(id)?.name ?? '';

  outbox.on('booking.moved', 'chat', async ({ id, at, payload }) => {
    const { rideId, bookingId, driverId, passengerId, move, actor } = payload;
    const effect: Effect = ofBooking[move as BookingMove];
    const named = {
      // Whoever pays has joined: that is what the others read.
      move: actor === 'driver' && move === 'cancel' ? 'cancelByDriver' : move === 'pay' ? 'accept' : move,
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
    if (effect.ride !== null) {
      moves.push({
        room: { id: rideId, rideId, bookingId: null },
        line: named,
        ...(effect.ride === 'enters' ? { enters: [driverId, passengerId] } : {}),
        ...(effect.ride === 'leaves' ? { leaves: passengerId } : {}),
      });
    }
    // A place that was kept for a payment which never came is lost: whoever had it leaves the ride's room.
    if (effect.thread === 'over' && (await chat.isIn(rideId, passengerId))) {
      const gone = { move: 'cancel', name: await nameOf(passengerId) };
      moves.push({ room: { id: rideId, rideId, bookingId: null }, line: gone, leaves: passengerId });
    }
    if (moves.length > 0) await chat.noteMove({ id, at }, moves);
  });

  outbox.on('ride.moved', 'chat', async ({ id, at, payload }) => {
    const { rideId, driverId, move } = payload;
    const word = ofRide[move as RideMove];
    if (word === null) return;
    await chat.noteMove({ id, at }, [
      {
        room: { id: rideId, rideId, bookingId: null },
        line: { move: word, name: await nameOf(driverId) },
        ...(closing.includes(move) ? { closes: 'ended' as const } : {}),
      },
    ]);
  });
}

const typing = z.object({ roomid: anId });

/** Passes on who is writing; what is no such thing is not answered. */
export function listenForTyping({ realtime }: Platform, chat: ChatService): void {
  realtime.hear('typing', async (userId, said) => {
    const parsed = typing.safeParse(said);
    if (parsed.success) await chat.typing(parsed.data.roomid, userId);
  });
}
