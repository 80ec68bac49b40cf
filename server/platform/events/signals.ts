import type { RealtimeFromServer } from '#contract/realtime.ts';
import type { Actor } from '#contract/rides/moves.ts';

interface PaymentOf {
  authorizationId: string;
  bookingId: string;
  rideId: string;
  requestId: string;
  passengerId: string;
  driverId: string;
}

/**
 * Everything that features tell each other, in the past tense. Upper features listen; no feature imports a
 * listener.
 */
export interface SignalPayloads {
  'ride.moved': { rideId: string; move: string; to: string; driverId: string; actor: Actor };
  'request.moved': { requestId: string; move: string; to: string; passengerId: string };
  /**
   * Rows of these rides and requests, of their routes or bookings were written: for the index of open orders,
   * which reads them again.
   */
  'orders.written': { orderIds: string[] };
  /** Orders that had no booking at all have expired, many at once. */
  'orders.expired': { kind: 'ride' | 'request'; orders: { id: string; ownerId: string }[] };
  'booking.moved': {
    bookingId: string;
    rideId: string;
    requestId: string;
    move: string;
    to: string;
    driverId: string;
    passengerId: string;
    actor: Actor;
    /** The booking's own after the move. */
    version: number;
    /**
     * Other passengers of the ride, and the event that the request is for, as the transaction of the move had
     * them at hand; missing where it had not.
     */
    otherPassengerIds?: string[];
    eventId?: string | null;
  };
  /** A report that a driver did not come is final: nothing has contradicted it in time. */
  'driver.missed': { bookingId: string; by: 'passenger' | 'system' };
  /**
   * It is unclear whether a ride took place: both sides are asked whether they rode, one has answered, or it
   * is over.
   */
  'booking.unclear': {
    bookingId: string;
    rideId: string;
    requestId: string;
    driverId: string;
    passengerId: string;
    what: 'asked' | 'answered';
  };
  /** `terms`: time, address or cost; `details`: anything else. */
  'order.edited': {
    kind: 'ride' | 'request';
    orderId: string;
    ownerId: string;
    what: 'terms' | 'details';
  };
  'change.proposed': { changeId: string; rideId: string; driverId: string; passengerIds: string[] };
  'change.moved': {
    changeId: string;
    rideId: string;
    to: string;
    driverId: string;
    passengerIds: string[];
    /** The person who gave the deciding answer; null if a deadline decided. */
    byId: string | null;
  };
  'waitlist.changed': { rideId: string; driverId: string; requestId: string; passengerId: string };
  /** To those who travel to it: another time or place, anything else, or called off. */
  'event.changed': {
    eventId: string;
    organizerId: string;
    travellers: { personId: string; kind: 'ride' | 'request'; orderId: string }[];
    what: 'moved' | 'details' | 'canceled';
  };
  /** A plan proposes a place to a driver and a passenger. */
  'event.proposed': {
    eventId: string;
    placeId: string;
    rideId: string;
    requestId: string;
    driverId: string;
    passengerId: string;
  };
  /**
   * Something of a ride or request for it has moved, or a place was declined: those who are left may have a
   * seat.
   */
  'event.moved': { eventId: string };
  /** A person has published, changed or ended recurring rides, or their last day has passed. */
  'recurring.changed': { recurringId: string; ownerId: string };
  'alert.saved': { alertId: string; ownerId: string };
  'alert.deleted': { alertId: string; ownerId: string };
  'review.written': { reviewId: string; rideId: string; authorId: string; subjectId: string };
  'profile.changed': { userId: string };
  /** A person has completed the profile of a new account. */
  'person.joined': { userId: string };
  /** A person, or the app itself, has reported a person to the team. */
  'report.filed': { reportId: string };
  /** The team or the author of a ticket has done something with it. */
  'ticket.moved': {
    ticketId: string;
    /** Null where the app itself reports. */
    authorId: string | null;
    assigneeId: string | null;
    move: 'answered' | 'replied' | 'closed' | 'reopened';
  };
  /** The archive of all data about a person can be downloaded, or could not be made. */
  'export.ended': { exportId: string; userId: string; to: 'ready' | 'failed' };
  /** `met`: in person, or by an invitation. `ended`: one of the two has removed the other. */
  'contact.moved': {
    move: 'applied' | 'accepted' | 'denied' | 'met' | 'ended' | 'blocked';
    actorId: string;
    otherId: string;
  };
  /** A person completed the profile of an account that began with an invitation. */
  'person.invited': { personId: string; inviterId: string };
  'license.sent': { licenseId: string; userId: string };
  'license.decided': { licenseId: string; userId: string; status: 'Accepted' | 'Reject' };
  'user.suspended': { userId: string };
  /** An alert has found something, and its owner may be notified: once for each order. */
  'alert.hit': { alertId: string; ownerId: string; role: 'driver' | 'passenger' };
  /** The state of a booking's payment changed. */
  'payment.moved': PaymentOf & { state: string };
  /** The passenger must act: add a card, confirm with the bank, or use another card. */
  'payment.needed': PaymentOf & { need: string; /** The passenger is paying just now. */ isPresent: boolean };
  'payment.captured': PaymentOf & { amountCents: number };
  /** An admin has written off what its passenger owed. */
  'debt.writtenOff': PaymentOf & { amountCents: number };
  'dispute.moved': {
    disputeId: string;
    bookingId: string;
    passengerId: string;
    driverId: string;
    to: string;
  };
  /** A driver's account at the card provider. */
  'account.moved': { userId: string; state: string };
  /**
   * A move has its line in a chat room: for those who are in it then, and one who leaves by it. The line
   * itself names a person, and is read from the room: no name outlives an account in the log.
   */
  'room.line': { roomId: string; seq: number; leaves: string | null; userIds: string[] };
  /** Data that people see in the open app has changed. */
  'live.changed': { userIds: string[]; changed: Changed };
}
/** The realtime message `changed`. */
export type Changed = Parameters<RealtimeFromServer['changed']>[0];
export type SignalName = keyof SignalPayloads;

/** A signal as its listeners get it. Each has an `id` of its own, the same when it is heard again. */
export interface Signal<N extends SignalName = SignalName> {
  id: number;
  at: Date;
  payload: SignalPayloads[N];
}

/** The name of a booking's move, also where it is signaled twice: what follows from it is there once. */
export const moveSource = ({
  payload: { bookingId, version, move },
}: {
  payload: SignalPayloads['booking.moved'];
}): string => `booking:${bookingId}:${version}:${move}`;
