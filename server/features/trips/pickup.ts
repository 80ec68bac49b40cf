import { createHash, sign, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import { boardingCodePrefix, type boardingKey, type boardingPass } from '#contract/trips/endpoints.ts';
import { awaitedStates, underWayRideStates } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { later, minuteMs } from '../../platform/clock.ts';
import { movedOn, refuseField } from '../../platform/refusal.ts';
import {
  bookingNotFound,
  type BookingRow,
  type By,
  ownBooking,
  settleBooking,
  moveBooking,
  boardLate,
  orderNotFound,
  rideById,
} from '../orders/service.ts';
import { signatureEncoding } from './boarding-key.ts';
import { readCode, unsignedCode } from './rules/boarding-code.ts';
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

/** A code shown longer ago than this is refused at the curb. */
const codeLivesMs = 15 * minuteMs;
/** How late an offline driver may send a code they have checked. */
const toldWithinMs = 12 * 60 * minuteMs;
/**
 * Counted in the command, for the passenger: the call does not name the passenger until the booking is read.
 */
const pinTries = { most: 5, withinSeconds: 900 };
/** The ways in which a passenger proves their identity: four digits to say, or a signed code to show. */
type Proof = 'pin' | 'code';

/**
 * The passenger's PIN and a fresh code, also for a missed passenger while the car is under way. The code is
 * signed, so that the driver's phone can check it without a connection. Refuses `booking.moved` before the
 * day of the ride, once on board, and after the ride.
 */
export async function issuePass(
  app: App,
  bookingId: string,
  passengerId: string,
): Promise<OutputOf<typeof boardingPass>> {
  const { booking, side } = await ownBooking(app, bookingId, passengerId);
  if (side !== 'passenger') throw bookingNotFound();
  const ride = booking.state === 'missed' ? await rideById(app.db, booking.rideId) : null;
  const isLate = ride !== null && underWayRideStates.includes(ride.state);
  if (!awaitedStates.includes(booking.state) && !isLate)
    throw movedOn('booking.moved', 'This just changed. Please check again.');
  const endsAt = later(app.clock.now(), codeLivesMs);
  const body = unsignedCode(bookingId, endsAt);
  const signature = sign('sha256', body, {
    key: await app.trips.boardingKeys.privateKey(),
    dsaEncoding: signatureEncoding,
  });
  const code = `${boardingCodePrefix}${Buffer.concat([body, signature]).toString('base64url')}`;
  return { pin: await pinOf(app, bookingId), code, endsAt: endsAt.toISOString() };
}

/** The public keys for checking codes, which the driver's app stores. Refuses `order.notFound`. */
export async function readPublicKey(
  app: App,
  rideId: string,
  driverId: string,
): Promise<OutputOf<typeof boardingKey>> {
  const ride = await rideById(app.db, rideId);
  if (ride === null || ride.driverId !== driverId) throw orderNotFound();
  const [first, ...others] = await app.trips.boardingKeys.publicKeys();
  return { ...pointOf(first), others: others.map(pointOf) };
}

function pointOf(key: KeyObject): { x: string; y: string } {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return { x, y };
}

/**
 * Refuses, by its field, a proof that does not match this booking; five wrong PINs block further tries for a
 * while.
 */
async function checkProof(
  app: App,
  bookingId: string,
  proof: { pin?: string | undefined; code?: string | undefined },
): Promise<Proof | null> {
  if (proof.code !== undefined) {
    if (!(await isGoodCode(app, bookingId, proof.code)))
      throw refuseField('booking.codeWrong', 'code', 'This code belongs to another rider.');
    return 'code';
  }
  if (proof.pin === undefined) return null;
  await app.tries.count(`boarding pin ${bookingId}`, pinTries);
  const given = Buffer.from(proof.pin);
  // The passenger's phone may show the PIN of a key that has been replaced since.
  const right = (await app.signedTokens.derivations(pinPurpose, bookingId)).map(pinFrom);
  if (!right.some((each) => timingSafeEqual(Buffer.from(each), given)))
    throw refuseField('booking.pinWrong', 'pin', 'That PIN isn’t right. Please ask the rider again.');
  return 'pin';
}

async function isGoodCode(app: App, bookingId: string, code: string): Promise<boolean> {
  const { clock } = app;
  const read = readCode(code);
  if (read === null || read.bookingId !== bookingId) return false;
  if (read.endsAt.getTime() < clock.now().getTime() - toldWithinMs) return false;
  return (await app.trips.boardingKeys.publicKeys()).some((key) =>
    verify('sha256', read.body, { key, dsaEncoding: signatureEncoding }, read.signature),
  );
}

/** The four digits of a booking, derived from its id and the installation's key. */
const pinOf = async ({ signedTokens }: App, bookingId: string): Promise<string> =>
  pinFrom(await signedTokens.derive(pinPurpose, bookingId));

const pinPurpose = 'boarding pin';

function pinFrom(secret: string): string {
  const number = createHash('sha256').update(secret).digest().readUInt32BE(0) % 10_000;
  return String(number).padStart(4, '0');
}
