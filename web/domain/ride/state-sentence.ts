import { invitedStates, joinableRideStates, openAskStates } from '#contract/rides/moves.ts';
import { seatedBooking } from '#contract/rides/next-action.ts';
import type { Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import { shortName } from '../person/short-name.ts';

/** What a state means for the viewer: which sentence, and about whom, where and when. */
export interface StateSentence {
  key:
    | 'looking'
    | 'wantsToRide'
    | 'joined'
    | 'full'
    | 'startAt'
    | 'leaveAt'
    | 'driving'
    | 'drove'
    | 'droveAlone'
    | 'lookingForRide'
    | 'asked'
    | 'askedMany'
    | 'invited'
    | 'seatAgreed'
    | 'beThere'
    | 'driverHere'
    | 'onTheWay'
    | 'onBoard'
    | 'arrived'
    | 'missed'
    | 'rejected'
    | 'unanswered'
    | 'notFound'
    | 'noRider'
    | 'canceledRide'
    | 'canceledRequest';
  name?: string;
  place?: string;
  at?: string | null;
  count?: number;
  free?: number;
}

/** The sentence below the state of an order; null for an order in which the viewer has no part. */
export function stateSentence(order: Order): StateSentence | null {
  if (order.role === 'passenger') return order.mine ? ofOwnRequest(order) : null;
  if (order.mine) return ofOwnRide(order);
  const own =
    seatedBooking(order.bookings) ?? order.bookings.find(({ state }) => openAskStates.includes(state));
  return own === undefined ? null : ofPlace(own, order);
}

function ofOwnRide(ride: Ride): StateSentence | null {
  const names = ride.passengers.map(({ name }) => shortName(name));
  const asking = ride.bookings.filter(({ state }) => state === 'requesting');
  const [first] = asking;
  if (first !== undefined && joinableRideStates.includes(ride.state))
    return {
      key: 'wantsToRide',
      name: shortName(first.passenger.name),
      count: asking.length,
      at: first.expiresAt,
    };
  switch (ride.state) {
    case 'matching':
      return names.length === 0
        ? { key: 'looking' }
        : { key: 'joined', name: names.join(', '), count: names.length, free: ride.seatsFree };
    case 'full':
      return { key: 'full', name: names.join(', '), count: names.length };
    case 'waiting':
      return { key: 'startAt', place: ride.from.name, at: ride.departsAt };
    case 'driver reached':
      return { key: 'leaveAt', at: ride.departsAt };
    case 'departed':
    case 'picking':
    case 'ongoing':
      return { key: 'driving', place: ride.to.name, at: ride.arrivesAt };
    case 'finished':
      return names.length === 0 ? { key: 'droveAlone' } : { key: 'drove', name: names.join(', ') };
    case 'cancel':
      return { key: 'canceledRide' };
    case 'expired':
      return { key: 'noRider' };
  }
}

function ofOwnRequest(request: Request): StateSentence | null {
  const seated = seatedBooking(request.bookings);
  if (seated) return ofPlace(seated, request.ride);
  const invitation = request.bookings.find(({ state }) => invitedStates.includes(state));
  if (invitation) return ofPlace(invitation, request.ride);
  const asked = request.bookings.filter(({ state }) => state === 'requesting');
  if (asked[0] !== undefined)
    return asked.length === 1 ? ofPlace(asked[0], request.ride) : { key: 'askedMany', count: asked.length };
  switch (request.state) {
    case 'cancel':
      return { key: 'canceledRequest' };
    case 'expired':
      return { key: 'notFound' };
    case 'missed':
      return { key: 'missed', name: shortName(request.ride?.driver.name ?? '') };
    default:
      return request.stage === 'Completed' ? null : { key: 'lookingForRide' };
  }
}

/** What a passenger's place in a ride means for them. */
function ofPlace(booking: Booking, ride: Ride | null): StateSentence | null {
  const name = shortName(ride?.driver.name ?? '');
  const pickup = { name, place: booking.pickup.name, at: booking.pickup.at };
  switch (booking.state) {
    case 'requesting':
      return { key: 'asked', name, at: booking.expiresAt };
    case 'inviting':
    case 'waiting for passenger acceptance':
      return booking.awaits === 'payment' ? null : { key: 'invited', name, at: booking.expiresAt };
    case 'joined':
      return { key: 'seatAgreed', ...pickup };
    case 'waiting':
      return ride?.state === 'departed' || ride?.state === 'picking' || ride?.state === 'ongoing'
        ? { key: 'onTheWay', ...pickup }
        : { key: 'beThere', ...pickup };
    case 'driver reached':
    case 'picking':
      return { key: 'driverHere', name, place: booking.pickup.name };
    case 'picked':
      return { key: 'onBoard', place: booking.dropoff.name, at: booking.dropoff.at };
    case 'finished':
      return { key: 'arrived', name };
    case 'missed':
      return { key: 'missed', name };
    case 'rejected':
      return { key: 'rejected', name };
    case 'expired':
      return { key: 'unanswered', name };
    default:
      return null;
  }
}
