import type { App } from '../../app-type.ts';
import {
  bookingNotFound,
  type BookingRow,
  type By,
  ownBooking,
  settleBooking,
  moveBooking,
  boardLate,
} from '../orders/service.ts';
import { checkProof, type Proof } from './boarding.ts';
import { onBooking, staleBooking, type Scene } from './scene.ts';

type BySide = By & { actor: 'driver' | 'passenger' };

/**
 * The driver has met the passenger (or undoes it). With the passenger's PIN or code they are on board at
 * once.
 */
export async function pickUp(
  app: App,
  {
    bookingId,
    undo,
    ...given
  }: { bookingId: string; undo: boolean; pin?: string | undefined; code?: string | undefined },
  driverId: string,
) {
  const { side } = await ownBooking(app, bookingId, driverId);
  if (side !== 'driver') throw bookingNotFound();
  const proof = undo ? null : await checkProof(app, bookingId, given);
  const by: BySide = { actor: 'driver', actorId: driverId };
  return onBooking(app, { bookingId, personId: driverId, side }, (scene, booking) =>
    proof === null
      ? confirm(app, scene, booking, { by, undo })
      : boardWith(app, scene, booking, { by, proof }),
  );
}

/** The passenger has met the driver (or undoes it). */
export const confirmMeeting = (app: App, bookingId: string, undo: boolean, passengerId: string) =>
  onBooking(app, { bookingId, personId: passengerId, side: 'passenger' }, (scene, booking) =>
    confirm(app, scene, booking, { by: { actor: 'passenger', actorId: passengerId }, undo }),
  );

/** One side confirms the meeting; with the second confirmation the passenger is on board. */
async function confirm(
  app: App,
  scene: Scene,
  booking: BookingRow,
  { by, undo }: { by: BySide; undo: boolean },
): Promise<void> {
  const { locked } = scene;
  const may = scene.mayBooking(booking, by.actor);
  const confirmed = { by, set: { metBy: by.actor } };
  if (undo) {
    if (!may.includes('undoMeet')) throw staleBooking();
    const set = { metBy: null };
    settleBooking(app, locked, moveBooking(app, locked, booking, { move: 'undoMeet', by, set }));
  } else if (may.includes('meetLate'))
    settleBooking(app, locked, moveBooking(app, locked, booking, { move: 'meetLate', ...confirmed }));
  else if (may.includes('boardLate')) await boardLate(app, locked, { ride: scene.ride, booking }, { by });
  else if (may.includes('meet'))
    settleBooking(app, locked, moveBooking(app, locked, booking, { move: 'meet', ...confirmed }));
  else if (may.includes('board'))
    settleBooking(app, locked, moveBooking(app, locked, booking, { move: 'board', by }));
  else throw staleBooking();
}

/**
 * The passenger's own proof counts as their confirmation: they are on board, whatever both sides have
 * confirmed.
 */
async function boardWith(
  app: App,
  scene: Scene,
  booking: BookingRow,
  { by, proof }: { by: By; proof: Proof },
): Promise<void> {
  const { locked } = scene;
  // A missed passenger came after all: the proof replaces the confirmation that either side may make.
  const mayBeLate = (['driver', 'passenger'] as const).some((side) =>
    scene.mayBooking(booking, side).some((move) => move === 'meetLate' || move === 'boardLate'),
  );
  if (mayBeLate) {
    await boardLate(app, locked, { ride: scene.ride, booking }, { by, proof });
    return;
  }
  if (booking.state !== 'driver reached' && booking.state !== 'picking') throw staleBooking();
  const met =
    booking.state === 'picking'
      ? booking
      : moveBooking(app, locked, booking, { move: 'meet', by, set: { metBy: 'driver' } });
  settleBooking(app, locked, moveBooking(app, locked, met, { move: 'board', by, note: proof }));
}
