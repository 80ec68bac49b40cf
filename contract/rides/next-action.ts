import {
  dayStates,
  invitedStates,
  joinableRideStates,
  lostStates,
  meetingStates,
  openRequestStates,
  seatedStates,
} from './moves.ts';
import type { Booking, NextAction, Request, Ride } from './views.ts';

type RideFacts = Omit<Ride, 'nextAction'>;
type RequestFacts = Omit<Request, 'nextAction' | 'ride'> & { ride: RideFacts | null };

const action = (kind: NextAction['kind'], fields: Partial<NextAction> = {}): NextAction => ({
  kind,
  bookingId: null,
  name: '',
  count: 1,
  until: null,
  costCents: null,
  ...fields,
});

/** The booking that takes a passenger along, or did. */
export const seatedBooking = <B extends Pick<Booking, 'state'>>(bookings: readonly B[]): B | undefined =>
  bookings.find(({ state }) => seatedStates.includes(state)) ??
  bookings.find(({ state }) => state === 'finished');

/**
 * The one thing that the viewer of a ride or request does next, from what they may do; null where they can
 * only wait. The server puts it in each order; the web app asks again for what it has done offline.
 */
export function nextActionOf(order: RideFacts | RequestFacts): NextAction | null {
  if (order.role === 'passenger') return order.mine ? ofOwnRequest(order) : ofOtherRequest(order);
  return order.mine ? ofOwnRide(order) : ofOtherRide(order);
}

/** The instant that comes first, of bookings that end unless they are answered; null where none ends. */
const firstEnd = (bookings: readonly Booking[]): string | null =>
  bookings.flatMap(({ expiresAt }) => expiresAt ?? []).toSorted()[0] ?? null;

function ofOwnRide(ride: RideFacts): NextAction | null {
  const unclear = ride.bookings.find((booking) => booking.unclear?.mine === null);
  if (unclear) return sayTookPlace(unclear, unclear.passenger.name);
  const due = ride.bookings.find(({ reviewDue }) => reviewDue);
  if (due) return action('review', { bookingId: due.id, name: due.passenger.name });
  if (ride.stage === 'In Progress') return drivingAction(ride);
  if (ride.stage === 'Completed') return null;
  const asking = ride.bookings.filter(({ may }) => may.includes('accept'));
  const [first] = asking;
  if (first)
    return action('answerRequest', {
      bookingId: first.id,
      name: first.passenger.name,
      count: asking.length,
      until: firstEnd(asking),
    });
  return ride.state === 'matching' ? action('findRiders') : null;
}

/**
 * The next step of a driver on the day: first the passenger who is at the car, then the stops in their order.
 */
export function drivingAction(ride: RideFacts): NextAction {
  if (ride.state === 'waiting') return action('reachStart', { until: ride.departsAt });
  const aboutPassenger = (kind: NextAction['kind'], booking: Booking) =>
    action(kind, { bookingId: booking.id, name: booking.passenger.name });
  const atTheCar = ride.bookings.find(({ state }) => meetingStates.includes(state));
  if (atTheCar) return aboutPassenger('board', atTheCar);
  if (ride.state === 'driver reached') return action('depart');
  for (const stop of ride.stops) {
    if (stop.kind === 'via' && !stop.passed) return action('passStop', { name: stop.place.name });
    const booking = ride.bookings.find(({ id }) => id === stop.bookingId);
    if (!booking) continue;
    if (stop.kind === 'pickup' && booking.may.includes('reach'))
      return aboutPassenger('reachPickup', booking);
    if (stop.kind === 'dropoff' && booking.may.includes('dropOff')) return aboutPassenger('dropOff', booking);
  }
  return action('arrive');
}

function ofOtherRide(ride: RideFacts): NextAction | null {
  const live =
    seatedBooking(ride.bookings) ?? ride.bookings.find(({ state }) => invitedStates.includes(state));
  if (live) return ofBooking(live, ride);
  if (ride.bookings.at(-1)?.state === 'requesting') return null;
  const isOpen = joinableRideStates.includes(ride.state);
  if (isOpen && ride.seatsFree > 0) return action('requestSeat', { name: ride.driver.name });
  return isOpen || ride.state === 'full' ? action('joinWaitlist') : null;
}

function ofOwnRequest(request: RequestFacts): NextAction | null {
  const { bookings } = request;
  const live =
    seatedBooking(bookings) ??
    bookings.find(({ awaits }) => awaits === 'payment') ??
    bookings.find(({ state }) => invitedStates.includes(state));
  if (live) {
    const invitations = bookings.filter(({ state }) => invitedStates.includes(state)).length;
    const next = ofBooking(live, request.ride);
    return next?.kind === 'acceptInvitation' ? { ...next, count: invitations } : next;
  }
  if (request.stage === 'Completed')
    return action(bookings.at(-1)?.broken == null ? 'requestAgain' : 'continueFromHere');
  // A passenger whom a driver let down has the page of other rides before them.
  const wasLetDown = bookings.some(({ state }) => lostStates.includes(state));
  return action(request.state === 'requesting' || wasLetDown ? 'findMoreRides' : 'findRides');
}

const ofOtherRequest = ({ state, bookings, passenger }: RequestFacts): NextAction | null =>
  openRequestStates.includes(state) && bookings.length === 0
    ? action('offerRide', { name: passenger.name })
    : null;

const sayTookPlace = ({ id, unclear }: Booking, name: string): NextAction =>
  action('sayTookPlace', { bookingId: id, name, until: unclear?.answerBy ?? null });

/** True where money is what comes next: for a reserved seat, or after a card has failed later on. */
const isToPay = ({ awaits, payment, state }: Booking): boolean =>
  awaits === 'payment' || (payment?.need != null && !dayStates.includes(state));

/** A passenger's next action about a booking of theirs. */
function ofBooking(booking: Booking, ride: RideFacts | null): NextAction | null {
  const { id: bookingId, expiresAt: until, fareCents: costCents, state } = booking;
  const name = ride?.driver.name ?? '';
  if (booking.unclear?.mine === null) return sayTookPlace(booking, name);
  if (isToPay(booking))
    return action(booking.payment?.need == null ? 'awaitPayment' : 'pay', {
      bookingId,
      name,
      until,
      costCents,
    });
  if (booking.may.includes('acceptInvitation'))
    return action('acceptInvitation', { bookingId, name, until, costCents });
  const { change } = ride ?? { change: null };
  if (change?.may.includes('accept') === true)
    return action('answerChange', { bookingId, name, until: change.expiresAt, costCents: change.fareCents });
  if (booking.reviewDue) return action('review', { bookingId, name });
  if (dayStates.includes(state)) return action('followRide', { bookingId, name, until: booking.pickup.at });
  return state === 'joined' && ride?.roomId != null ? action('message', { bookingId, name }) : null;
}
