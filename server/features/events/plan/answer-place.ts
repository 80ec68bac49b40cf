import { openAskStates, seatedStates } from '#contract/rides/moves.ts';
import { inRepeatableSteps } from '../../../platform/database/transact.ts';
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
import type { PlanContext } from './context.ts';
import * as store from './store.ts';

/** Refusals of an ask or invitation that make the proposed place void for good. */
const forGood = ['match.noFit', 'ride.full', 'ride.closed', 'request.closed', 'order.notFound'];

/**
 * One of the two people of a proposed place answers. The first yes asks or invites in that person's own name,
 * the second accepts it: every check of a booking applies, and the organizer commits neither of them. Refuses
 * `event.placeNotFound`, `event.placeGone`, and as asking, inviting and accepting do.
 */
export async function answerPlace(
  context: PlanContext,
  personId: string,
  input: { placeId: string; accept: boolean; reason: string },
): Promise<{ joined: boolean; toPay: boolean }> {
  const { platform } = context;
  const place = await store.placeById(platform.db, input.placeId);
  if (place === null || (place.driverId !== personId && place.passengerId !== personId))
    throw notFound('event.placeNotFound', 'We couldn’t find this seat.');
  if (await isJoined(context, place)) return { joined: true, toPay: false };
  const event = await eventById(platform, place.eventId);
  if (place.state !== 'open' || event === null || event.canceledAt !== null)
    throw movedOn('event.placeGone', 'This seat is no longer available. Please check again.');
  if (!input.accept) {
    await inRepeatableSteps(() => sayNo(context, place, personId, input.reason));
    return { joined: false, toPay: false };
  }
  try {
    await sayYes(context, place, personId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Both said yes at the same moment: the other person has asked already.
    if (error.reason === 'booking.exists') await sayYes(context, place, personId);
    else {
      if (forGood.includes(error.reason)) await endPlace(context, place, 'gone');
      throw error;
    }
  }
  const isUnpaid = (await openBetween(context, place))?.awaits === 'payment';
  return { joined: await isJoined(context, place), toPay: isUnpaid };
}

async function sayYes(context: PlanContext, place: store.PlaceRow, personId: string): Promise<void> {
  const side = place.driverId === personId ? 'driver' : 'passenger';
  const asked = await openBetween(context, place);
  if (asked !== undefined) {
    // If only the payment is missing, both have said yes already.
    if (asked.startedBy !== side && asked.awaits !== 'payment')
      await acceptBooking(context.platform, asked.id, personId);
    return;
  }
  const { rideId, requestId } = place;
  const input = { rideId, requestId, message: '' };
  await (side === 'driver'
    ? inviteToRide(context.platform, personId, input)
    : askToJoin(context.platform, personId, input));
}

async function sayNo(
  context: PlanContext,
  place: store.PlaceRow,
  personId: string,
  reason: string,
): Promise<void> {
  const side = place.driverId === personId ? 'driver' : 'passenger';
  const asked = await openBetween(context, place);
  // If only the payment is missing, the driver withdraws and the passenger declines, whichever of them began.
  const isBack = asked?.awaits === 'payment' ? side === 'driver' : asked?.startedBy === side;
  if (asked !== undefined)
    await (isBack
      ? withdrawBooking(context.platform, asked.id, personId)
      : rejectBooking(context.platform, asked.id, personId, reason));
  await endPlace(context, place, 'declined');
}

async function endPlace(
  { platform: { transact, outbox, clock } }: PlanContext,
  place: store.PlaceRow,
  state: 'declined' | 'gone',
): Promise<void> {
  await transact(async (tx) => {
    if (await store.endPlace(tx, place.id, state, clock.now()))
      await outbox.emit(tx, 'event.moved', { eventId: place.eventId }, place.eventId);
  });
}

const openBetween = async ({ platform: { db } }: PlanContext, place: store.PlaceRow) =>
  (await bookingsBetween(db, place)).find(({ state }) => openAskStates.includes(state));

const isJoined = async ({ platform: { db } }: PlanContext, place: store.PlaceRow): Promise<boolean> =>
  (await bookingsBetween(db, place)).some(({ state }) => seatedStates.includes(state));
