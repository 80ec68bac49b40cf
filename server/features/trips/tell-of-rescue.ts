import type { OutputOf } from '#contract/define.ts';
import { mostRescues, type rescue } from '#contract/trips/endpoints.ts';
import { openRequestStates } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { peopleByIds, peopleWithDetails } from '../identity/service.ts';
import { requestsByIds } from '../orders/aggregate/queries.ts';
import {
  lostBooking,
  orderNotFound,
  type RequestRow,
  bookingsOf,
  matchFew,
  brokenBookingsOf,
  requestById,
  type BookingRow,
  type RideToTell,
  ridesToTell,
} from '../orders/service.ts';
import { rescueEmail } from './rules/emails.ts';
import * as store from './store.ts';

type RescueAnswer = OutputOf<typeof rescue>;

const none: RescueAnswer = { because: null, driverName: '', candidates: [] };

/** Other rides for one's own request that lost its driver. Refuses a request that is not the caller's. */
export async function readRescue(app: App, requestId: string, passengerId: string): Promise<RescueAnswer> {
  const request = await requestById(app.db, requestId);
  if (request === null || request.passengerId !== passengerId) throw orderNotFound();
  return rescueOf(app, request);
}

/** The best rides that fit the request now, without the lost one. */
async function rescueOf(app: App, request: RequestRow): Promise<RescueAnswer> {
  const lost = isOpen(request) ? lostBooking(await bookingsOf(app.db, { requestIds: [request.id] })) : null;
  if (lost === null) return none;
  const [candidates, people, broken] = await Promise.all([
    // One more than are shown: the lost ride may still fit.
    matchFew(app, request.id, request.passengerId, mostRescues + 1),
    peopleByIds(app, [lost.driverId]),
    brokenBookingsOf(app.db, [lost.rideId]),
  ]);
  const others = candidates.filter(({ ride }) => ride.id !== lost.rideId);
  return {
    because: causeOf(lost, broken),
    driverName: people.get(lost.driverId)?.name ?? '',
    candidates: instantFirst(others, ({ ride }) => ride.instant),
  };
}

/** A request whose passenger was let down. */
interface LostRide {
  request: RequestRow;
  booking: BookingRow;
  because: 'brokenOff' | 'missed' | 'canceled';
}

/** The same with the rides that are offered instead. */
type Rescue = LostRide & { offers: RideToTell[] };

/**
 * Emails passengers whose drivers let them down, once per lost booking. What is to be known of them is read
 * for all at once.
 */
export async function tellOfRescue(app: App, requestIds: readonly string[]): Promise<void> {
  const lost = await lostAmong(app, requestIds);
  if (lost.length === 0) return;
  const requests = lost.map(({ request }) => request);
  // One more than are shown: the lost ride may still fit.
  const fitting = await ridesToTell(app, requests, mostRescues + 1);
  const rescues = lost.map((each): Rescue => {
    const rides = fitting.get(each.request.id) ?? [];
    const others = rides.filter(({ rideId }) => rideId !== each.booking.rideId);
    return { ...each, offers: instantFirst(others, ({ isInstant }) => isInstant) };
  });
  await postEmails(app, rescues);
}

/** The requests among some whose passengers are offered other rides, with the bookings that were lost. */
async function lostAmong(app: App, requestIds: readonly string[]): Promise<LostRide[]> {
  const { db } = app;
  const requests = (await requestsByIds(app.db, [...new Set(requestIds)])).filter(isOpen);
  if (requests.length === 0) return [];
  const bookings = await bookingsOf(db, { requestIds: requests.map(({ id }) => id) });
  const lost = requests.flatMap((request) => {
    const booking = lostBooking(bookings.filter(({ requestId }) => requestId === request.id));
    return booking === null ? [] : [{ request, booking }];
  });
  const broken = await brokenBookingsOf(
    app.db,
    lost.map(({ booking }) => booking.rideId),
  );
  return lost.flatMap(({ request, booking }) => {
    const because = causeOf(booking, broken);
    // A passenger who has just declined a proposed change is on the page that offers the other rides.
    return because === 'declined' ? [] : [{ request, booking, because }];
  });
}

async function postEmails(app: App, rescues: readonly Rescue[]): Promise<void> {
  const { transact, clock, outbox, env } = app;
  const ids = rescues.flatMap(({ request, booking, offers }) => [
    request.passengerId,
    booking.driverId,
    ...offers.map(({ driverId }) => driverId),
  ]);
  const { people, details } = await peopleWithDetails(app, [...new Set(ids)]);
  const nameOf = (id: string) => people.get(id)?.name ?? '';
  const reached = rescues.flatMap((rescue) => {
    const person = details.get(rescue.request.passengerId);
    return person === undefined ? [] : [{ ...rescue, person }];
  });
  await transact('post emails', async (tx) => {
    const bookingIds = reached.map(({ booking }) => booking.id);
    const claimed = await store.claimRescueLetters(tx, bookingIds, clock.now());
    const emails = reached
      .filter(({ booking }) => claimed.has(booking.id))
      .map(({ request, booking, because, offers, person }) => ({
        to: person.email,
        ...rescueEmail(person.language, {
          because,
          driverName: nameOf(booking.driverId),
          timeZone: request.timeZone,
          offers: offers.map((offer) => ({ ...offer, driverName: nameOf(offer.driverId) })),
          link: `${env.publicUrl}/pages/order/detail?id=${request.id}`,
        }),
      }));
    await outbox.postAll(tx, emails);
  });
}

/** A request that is still open. */
const isOpen = ({ state }: RequestRow): boolean => openRequestStates.includes(state);

/** Of the rides that are shown, those that are booked at once come first. */
const instantFirst = <T>(best: readonly T[], isInstant: (each: T) => boolean): T[] =>
  best.slice(0, mostRescues).toSorted((a, b) => Number(isInstant(b)) - Number(isInstant(a)));

/** Why a booking was lost. */
function causeOf(
  lost: BookingRow,
  broken: readonly { bookingId: string }[],
): 'brokenOff' | 'missed' | 'declined' | 'canceled' {
  if (broken.some(({ bookingId }) => bookingId === lost.id)) return 'brokenOff';
  if (lost.state === 'missed') return 'missed';
  return lost.reason === 'changeDeclined' ? 'declined' : 'canceled';
}
