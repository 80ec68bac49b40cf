import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type * as calls from '#contract/safety/endpoints.ts';
import {
  mostShares,
  type TripShare,
  type SharedTrip,
  type watchTrip as watchCall,
} from '#contract/safety/endpoints.ts';
import { keptMs } from '#contract/privacy/retention.ts';
import { onTheWayRideStates, endedRideStates, seatedStates } from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { Refusal, refuseField, movedOn, notFound } from '../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../platform/security/session.ts';
import { areContacts } from '../contacts/service.ts';
import { contactDetailsOf, peopleByIds } from '../identity/service.ts';
import { orderNotFound, rideById, rideViews } from '../orders/service.ts';
import { whereIsCar } from '../trips/service.ts';
import { shareEmail } from './rules/emails.ts';
import * as store from './store.ts';
import type { insertShare } from './store.ts';

/**
 * Creates a link to the person's own trip; with a contact, emails it to them. Refuses `share.notRiding`,
 * `share.notContact`, `share.tooMany`.
 */
export async function shareTrip(
  app: App,
  { id, contactId }: z.output<typeof calls.shareTrip.input>,
  personId: string,
): Promise<OutputOf<typeof calls.shareTrip>> {
  const { transact, outbox, env } = app;
  await tripOn(app, id, personId);
  if (contactId !== undefined && !(await areContacts(app.db, personId, contactId)))
    throw refuseField('share.notContact', 'contactId', 'Please choose one of your contacts.');
  const { row, path } = newShare(app, { rideId: id, ownerId: personId, toId: contactId ?? null });
  const name = await nameOf(app, personId);
  await transact('share trip', async (tx) => {
    if (!(await store.insertShare(tx, row)))
      throw new Refusal(
        'share.tooMany',
        `You can have up to ${mostShares} links to one trip. End one first.`,
      );
    const to =
      contactId === undefined ? undefined : (await contactDetailsOf(app, [contactId], tx)).get(contactId);
    const link = `${env.publicUrl}${path}`;
    if (to !== undefined) await outbox.post(tx, { to: to.email, ...shareEmail(to.language, { name, link }) });
  });
  const { shares } = await viewShares(app, id, personId);
  return { share: shares.find((each) => each.id === row.id)!, path };
}

/** The links that a person has created for one ride. Refuses `order.notFound`. */
export async function listShares(
  app: App,
  rideId: string,
  personId: string,
): Promise<OutputOf<typeof calls.listShares>> {
  await ownTrip(app, rideId, personId);
  return viewShares(app, rideId, personId);
}

/** Ends one's own link at once. Refuses `share.notFound`. */
export async function stopSharing(
  app: App,
  shareId: string,
  personId: string,
): Promise<OutputOf<typeof calls.stopSharing>> {
  const ended = await app.transact('stop sharing', (tx) => store.endShare(tx, shareId, personId));
  if (ended === null) throw shareNotFound();
  return viewShares(app, ended.rideId, personId);
}

async function viewShares(app: App, rideId: string, ownerId: string): Promise<{ shares: TripShare[] }> {
  const rows = await store.sharesOf(app.db, rideId, ownerId);
  const people = await peopleByIds(
    app,
    rows.flatMap(({ toId }) => toId ?? []),
  );
  return {
    shares: rows.map(({ id, toId, createdAt }) => ({
      id,
      to: toId === null ? null : (people.get(toId) ?? null),
      at: createdAt.toISOString(),
    })),
  };
}

/** Deletes links to rides that ended more than a day ago. */
export const clearOldShares = ({ db, clock }: App) =>
  store.forgetShares(db, later(clock.now(), -keptMs('sharedTrips')));

/** The trip as the holder of a link sees it, while it lasts. Refuses `share.notFound`. */
export async function watchTrip(app: App, code: string): Promise<OutputOf<typeof watchCall>> {
  const share = await store.shareBySecret(app.db, hashSecret(code));
  if (share === null) throw shareNotFound();
  const { rideId, ownerId } = share;
  const name = await nameOf(app, ownerId);
  const trip = await ownTrip(app, rideId, ownerId).catch((error: unknown) => {
    // A trip that its owner may no longer see is over. Any other failure is shown: it must not look like a
    // safe arrival.
    if (error instanceof Refusal && error.code === 404) return null;
    throw error;
  });
  if (trip === null || !isOn(trip)) return { name, trip: null };
  const { position } = await whereIsCar(app, rideId, ownerId);
  return { name, trip: viewTrip(trip, position) };
}

function viewTrip(
  { ride, booking }: OwnTrip,
  position: Awaited<ReturnType<typeof whereIsCar>>['position'],
): SharedTrip {
  const [from, to] = booking === null ? [ride.from, ride.to] : [booking.pickup, booking.dropoff];
  const arrival = position?.arrivals.find(({ kind, bookingId }) =>
    booking === null ? kind === 'end' : kind === 'dropoff' && bookingId === booking.id,
  );
  const spot = ({ name, lon, lat }: SharedTrip['from']): SharedTrip['from'] => ({ name, lon, lat });
  const { vehicle } = ride;
  return {
    driverName: ride.driver.name,
    vehicle:
      vehicle === null
        ? null
        : { brand: vehicle.brand, model: vehicle.model, color: vehicle.color, plate: vehicle.plate },
    onBoard: booking === null ? onTheWayRideStates.includes(ride.state) : booking.state === 'picked',
    from: spot(from),
    to: spot(to),
    timeZone: ride.timeZone,
    plannedAt: booking === null ? ride.arrivesAt : booking.dropoff.at,
    expectedAt: arrival?.at ?? null,
    car: position === null ? null : { lon: position.lon, lat: position.lat, at: position.at },
  };
}

const shareNotFound = () => notFound('share.notFound', 'This link no longer works.');

/** A ride of its driver or of one of its passengers; the driver has no booking. */
interface OwnTrip {
  ride: Ride;
  booking: Booking | null;
}

/** The ride, for its driver or one of its passengers. Refuses all others with `order.notFound`. */
async function ownTrip(app: App, rideId: string, personId: string): Promise<OwnTrip> {
  const row = await rideById(app.db, rideId);
  const ride = row === null ? undefined : (await rideViews(app, [row], personId))[0];
  const booking = ride?.bookings.findLast(({ state }) => seatedStates.includes(state)) ?? null;
  if (ride === undefined || (!ride.mine && ride.bookings.length === 0)) throw orderNotFound();
  return { ride, booking: ride.mine ? null : booking };
}

/** Whether the ride has not ended for this person. */
const isOn = ({ ride, booking }: OwnTrip): boolean =>
  !endedRideStates.includes(ride.state) && (ride.mine || booking !== null);

/**
 * The ride of a person who is on it. Refuses `order.notFound`, and `share.notRiding` once it is over for
 * them.
 */
export async function tripOn(app: App, rideId: string, personId: string): Promise<OwnTrip> {
  const trip = await ownTrip(app, rideId, personId);
  if (!isOn(trip)) throw movedOn('share.notRiding', 'You’re not on this ride.');
  return trip;
}

export const nameOf = async (app: App, personId: string): Promise<string> =>
  (await peopleByIds(app, [personId])).get(personId)?.name ?? '';

/**
 * A link to a trip: the row to store, with only a hash of the secret, and the path that contains the secret.
 */
export function newShare(
  app: App,
  of: { rideId: string; ownerId: string; toId: string | null },
): { row: Parameters<typeof insertShare>[1]; path: string } {
  const secret = newSecret();
  const row = { id: randomUUID(), ...of, secretHash: hashSecret(secret), createdAt: app.clock.now() };
  return { row, path: `/pages/order/shared?code=${secret}` };
}
