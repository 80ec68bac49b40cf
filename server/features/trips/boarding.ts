import { createHash, sign, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import { boardingCodePrefix, type boardingKey, type boardingPass } from '#contract/trips/endpoints.ts';
import { awaitedStates, underWayRideStates } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { later, minuteMs } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import { movedOn, refuseField } from '../../platform/refusal.ts';
import { bookingNotFound, orderNotFound, ownBooking, rideById } from '../orders/service.ts';
import { createBoardingKeys, signatureEncoding, type BoardingKeys } from './boarding-key.ts';
import { readCode, unsignedCode } from './rules/boarding-code.ts';

/** A code shown longer ago than this is refused at the curb. */
const codeLivesMs = 15 * minuteMs;
/** How late an offline driver may send a code they have checked. */
const toldWithinMs = 12 * 60 * minuteMs;
/**
 * Counted in the command, for the passenger: the call does not name the passenger until the booking is read.
 */
const pinTries = { most: 5, withinSeconds: 900 };
/** The ways in which a passenger proves their identity: four digits to say, or a signed code to show. */
export type Proof = 'pin' | 'code';

export type Boarding = ReturnType<typeof createBoarding>;

interface BoardingContext {
  platform: App;
  keys: BoardingKeys;
}

/** Proofs of boarding. A code is signed, so that the driver's phone can check it without a connection. */
export function createBoarding(platform: App) {
  const context: BoardingContext = { platform, keys: createBoardingKeys(platform) };
  return {
    pass: issuePass.bind(null, context),
    key: readPublicKey.bind(null, context),
    check: checkProof.bind(null, context),
  };
}

/**
 * The passenger's PIN and a fresh code, also for a missed passenger while the car is under way. Refuses
 * `booking.moved` before the day of the ride, once on board, and after the ride.
 */
async function issuePass(
  { platform, keys }: BoardingContext,
  bookingId: string,
  passengerId: string,
): Promise<OutputOf<typeof boardingPass>> {
  const { booking, side } = await ownBooking(platform, bookingId, passengerId);
  if (side !== 'passenger') throw bookingNotFound();
  const ride = booking.state === 'missed' ? await rideById(platform.db, booking.rideId) : null;
  const isLate = ride !== null && underWayRideStates.includes(ride.state);
  if (!awaitedStates.includes(booking.state) && !isLate)
    throw movedOn('booking.moved', 'This just changed. Please check again.');
  const endsAt = later(platform.clock.now(), codeLivesMs);
  const body = unsignedCode(bookingId, endsAt);
  const signature = sign('sha256', body, { key: await keys.privateKey(), dsaEncoding: signatureEncoding });
  const code = `${boardingCodePrefix}${Buffer.concat([body, signature]).toString('base64url')}`;
  return { pin: await pinOf(platform, bookingId), code, endsAt: endsAt.toISOString() };
}

/** The public keys for checking codes, which the driver's app stores. Refuses `order.notFound`. */
async function readPublicKey(
  { platform, keys }: BoardingContext,
  rideId: string,
  driverId: string,
): Promise<OutputOf<typeof boardingKey>> {
  const ride = await rideById(platform.db, rideId);
  if (ride === null || ride.driverId !== driverId) throw orderNotFound();
  const [first, ...others] = await keys.publicKeys();
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
  context: BoardingContext,
  bookingId: string,
  proof: { pin?: string | undefined; code?: string | undefined },
): Promise<Proof | null> {
  if (proof.code !== undefined) {
    if (!(await isGoodCode(context, bookingId, proof.code)))
      throw refuseField('booking.codeWrong', 'code', 'This code belongs to another rider.');
    return 'code';
  }
  if (proof.pin === undefined) return null;
  const { platform } = context;
  await platform.tries.count(`boarding pin ${bookingId}`, pinTries);
  const given = Buffer.from(proof.pin);
  // The passenger's phone may show the PIN of a key that has been replaced since.
  const right = (await platform.signedTokens.derivations(pinPurpose, bookingId)).map(pinFrom);
  if (!right.some((each) => timingSafeEqual(Buffer.from(each), given)))
    throw refuseField('booking.pinWrong', 'pin', 'That PIN isn’t right. Please ask the rider again.');
  return 'pin';
}

async function isGoodCode(
  { platform: { clock }, keys }: BoardingContext,
  bookingId: string,
  code: string,
): Promise<boolean> {
  const read = readCode(code);
  if (read === null || read.bookingId !== bookingId) return false;
  if (read.endsAt.getTime() < clock.now().getTime() - toldWithinMs) return false;
  return (await keys.publicKeys()).some((key) =>
    verify('sha256', read.body, { key, dsaEncoding: signatureEncoding }, read.signature),
  );
}

/** The four digits of a booking, derived from its id and the installation's key. */
const pinOf = async ({ signedTokens }: Platform, bookingId: string): Promise<string> =>
  pinFrom(await signedTokens.derive(pinPurpose, bookingId));

const pinPurpose = 'boarding pin';

function pinFrom(secret: string): string {
  const number = createHash('sha256').update(secret).digest().readUInt32BE(0) % 10_000;
  return String(number).padStart(4, '0');
}
