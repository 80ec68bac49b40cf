import type { BookingMove, RideMove } from '#contract/rides/moves.ts';
import type { Base } from '../../base/base.ts';
import type { IdentityService } from '../identity/service.ts';
import type { ChatService } from './service.ts';

type Effect = { line: boolean; enters?: boolean; leaves?: boolean };

/** What each move of a booking means for the room; every move is named, so that a new one is not forgotten. */
const ofBooking = {
  ask: { line: false },
  invite: { line: false },
  offer: { line: false },
  accept: { line: true, enters: true },
  joinAtOnce: { line: true, enters: true },
  acceptInvitation: { line: true, enters: true },
  agree: { line: false },
  pay: { line: true, enters: true },
  holdFailed: { line: false },
  reject: { line: false },
  declineInvitation: { line: false },
  withdraw: { line: false },
  withdrawInvitation: { line: false },
  expire: { line: false },
  cancel: { line: true, leaves: true },
  gather: { line: false },
  reach: { line: true },
  meet: { line: false },
  board: { line: true },
  undoMeet: { line: false },
  noShow: { line: true },
  reportDriver: { line: true },
  meetLate: { line: false },
  boardLate: { line: true },
  dropOff: { line: true },
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
  expire: 'expireRide',
} satisfies Record<RideMove, string | null>;

const closing: readonly string[] = ['arrive', 'endEmpty', 'cancel', 'expire'];

export function listenForRooms({ outbox }: Base, chat: ChatService, identity: IdentityService): void {
  const nameOf = async (id: string) => (await identity.people([id])).get(id)?.name ?? '';

  outbox.on('booking.moved', 'chat', async ({ id, at, payload }) => {
    const effect: Effect = ofBooking[payload.move as BookingMove];
    if (!effect.line) return;
    const { rideId, driverId, passengerId, move } = payload;
    const line = {
      // Whoever pays has joined: that is what the others read.
      move:
        payload.actor === 'driver' && move === 'cancel' ? 'cancelByDriver' : move === 'pay' ? 'accept' : move,
      name: await nameOf(passengerId),
    };
    const who = {
      ...(effect.enters ? { enters: passengerId } : {}),
      ...(effect.leaves ? { leaves: passengerId } : {}),
    };
    await chat.noteMove({ id, at }, { id: rideId, driverId }, line, who);
  });

  outbox.on('ride.moved', 'chat', async ({ id, at, payload }) => {
    const line = ofRide[payload.move as RideMove];
    if (line === null) return;
    const { rideId, driverId, move } = payload;
    await chat.noteMove(
      { id, at },
      { id: rideId, driverId },
      { move: line, name: await nameOf(driverId) },
      { closes: closing.includes(move) },
    );
  });
}
