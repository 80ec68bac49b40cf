import { openAskStates, seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, notFound, Refusal } from '../../../platform/refusal.ts';
import { bookingsBetween } from '../../orders/bookings/queries.ts';
import {
  acceptBooking,
  inviteToRide,
  askToJoin,
  withdrawBooking,
  rejectBooking,
} from '../../orders/service.ts';
import { eventById } from '../calendar/find-event.ts';
import * as store from './store.ts';

/** Refusals of an ask or invitation that make the proposed place void for good. */
const forGood = ['match.noFit', 'ride.full', 'ride.closed', 'request.closed', 'order.notFound'];

/**
 * One of the two people of a proposed place answers. The first yes asks or invites in that person's own name,
 * the second accepts it: every check of a booking applies, and the organizer commits neither of them. Refuses
 * `event.placeNotFound`, `event.placeGone`, and as asking, inviting and accepting do.
 */
export async function answerPlace(
  app: App,
  personId: string,
  input: { placeId: string; accept: boolean; reason: string },
): Promise<{ joined: boolean; toPay: boolean }> {
  const place = await store.placeById(app.db, input.placeId);
  if (place === null || (place.driverId !== personId && place.passengerId !== personId))
    throw notFound('event.placeNotFound', 'We couldn’t find this seat.');
  if (await isJoined(app, place)) return { joined: true, toPay: false };
  const event = await eventById(app, place.eventId);
  if (place.state !== 'open' || event === null || event.canceledAt !== null)
    throw movedOn('event.placeGone', 'This seat is no longer available. Please check again.');
  if (!input.accept) {
    await sayNo({ ...app, transact: app.transactRepeatably }, place, personId, input.reason);
    return { joined: false, toPay: false };
  }
  try {
    await sayYes(app, place, personId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Both said yes at the same moment: the other person has asked already.
    if (error.reason === 'booking.exists') await sayYes(app, place, personId);
    else {
      if (forGood.includes(error.reason)) await endPlace(app, place, 'gone');
      throw error;
    }
  }
  const isUnpaid = (await openBetween(app, place))?.awaits === 'payment';
  return { joined: await isJoined(app, place), toPay: isUnpaid };
}

async function sayYes(app: App, place: store.PlaceRow, personId: string): Promise<void> {
  const side = place.driverId === personId ? 'driver' : 'passenger';
  const asked = await openBetween(app, place);
  if (asked !== undefined) {
    // If only the payment is missing, both have said yes already.
    if (asked.startedBy !== side && asked.awaits !== 'payment') await acceptBooking(app, asked.id, personId);
    return;
  }
  const { rideId, requestId } = place;
  const input = { rideId, requestId, message: '' };
  await (side === 'driver' ? inviteToRide(app, personId, input) : askToJoin(app, personId, input));
}

async function sayNo(app: App, place: store.PlaceRow, personId: string, reason: string): Promise<void> {
  const side = place.driverId === personId ? 'driver' : 'passenger';
  const asked = await openBetween(app, place);
  // If only the payment is missing, the driver withdraws and the passenger declines, whichever of them began.
  const isBack = asked?.awaits === 'payment' ? side === 'driver' : asked?.startedBy === side;
  if (asked !== undefined)
    await (isBack
      ? withdrawBooking(app, asked.id, personId)
      : rejectBooking(app, asked.id, personId, reason));
  await endPlace(app, place, 'declined');
}

async function endPlace(
  { transact, outbox, clock }: App,
  place: store.PlaceRow,
  state: 'declined' | 'gone',
): Promise<void> {
  await transact('end planned seat', async (tx) => {
    if (await store.endPlace(tx, place.id, state, clock.now()))
      await outbox.emit(tx, 'event.moved', { eventId: place.eventId }, place.eventId);
  });
}

const openBetween = async ({ db }: App, place: store.PlaceRow) =>
  (await bookingsBetween(db, place)).find(({ state }) => openAskStates.includes(state));

const isJoined = async ({ db }: App, place: store.PlaceRow): Promise<boolean> =>
  (await bookingsBetween(db, place)).some(({ state }) => seatedStates.includes(state));
