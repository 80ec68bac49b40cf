import type { NewsAnswer } from '#contract/notifications/endpoints.ts';
import {
  isAgreed,
  openAskStates,
  endedBookingStates,
  type BookingAwaits,
  type BookingState,
} from '#contract/rides/moves.ts';
import { asksFor, type News } from './notification-texts.ts';

/** A notification that may ask its recipient something. */
export interface Asking {
  news: News;
  name: string;
  bookingId?: string | undefined;
  changeId?: string | undefined;
}

export interface AskedBooking {
  state: BookingState;
  /** The side that alone has confirmed the meeting. */
  metBy: 'driver' | 'passenger' | null;
  awaits: BookingAwaits | null;
  fareCents: number;
  joinedAt: Date | null;
  expiresAt: Date | null;
}

export interface AskedChange {
  isOpen: boolean;
  expiresAt: Date;
  /** The recipient's answer; null before. */
  accepted: boolean | null;
}

/** The bookings and changes that notifications ask about, by id. */
export interface Asked {
  bookings: ReadonlyMap<string, AskedBooking>;
  changes: ReadonlyMap<string, AskedChange>;
}

function bookingState(booking: AskedBooking | undefined, now: Date): NewsAnswer['state'] {
  if (booking === undefined) return 'over';
  if (booking.joinedAt !== null || isAgreed(booking)) return 'accepted';
  if (booking.state === 'rejected') return 'declined';
  const isOpen = booking.expiresAt === null || booking.expiresAt > now;
  return openAskStates.includes(booking.state) && isOpen ? 'open' : 'over';
}

function changeState(
  change: AskedChange | undefined,
  booking: AskedBooking | undefined,
  now: Date,
): NewsAnswer['state'] {
  if (change?.accepted != null) return change.accepted ? 'accepted' : 'declined';
  const isAsked = booking !== undefined && isAgreed(booking);
  return isAsked && change?.isOpen === true && change.expiresAt > now ? 'open' : 'over';
}

/**
 * True where a question was answered, withdrawn or has ended by other means, so that it need not reach its
 * person any more. A deadline does not close it: that counts from when the message left.
 */
export function isClosed(
  { news, bookingId, changeId }: Omit<Asking, 'name'>,
  { bookings, changes }: Asked,
): boolean {
  const to = asksFor(news);
  if (to === 'change') {
    const change = changeId === undefined ? undefined : changes.get(changeId);
    return changeId !== undefined && (change?.isOpen !== true || change.accepted !== null);
  }
  if (to === null || bookingId === undefined) return false;
  const booking = bookings.get(bookingId);
  return booking === undefined || !openAskStates.includes(booking.state) || isAgreed(booking);
}

/** A notification of a passenger who joined is worth nothing once they have left, or the ride is lost. */
const newsOfJoining: readonly News[] = ['accepted', 'joinedAtOnce', 'invitationAccepted'];

/** True while one side alone has confirmed the meeting, also that of a passenger who was marked as missed. */
export const awaitsOtherSide = ({ state, metBy }: Pick<AskedBooking, 'state' | 'metBy'>): boolean =>
  metBy !== null && (state === 'picking' || state === 'missed');

/**
 * True where a booking that a notification says was joined has ended since, or the meeting that it asks about
 * is confirmed or taken back.
 */
export function isOutdated(
  { news, bookingId }: Pick<Asking, 'news' | 'bookingId'>,
  { bookings }: Asked,
): boolean {
  const booking = bookings.get(bookingId ?? '');
  if (news === 'meetingAsked') return booking === undefined || !awaitsOtherSide(booking);
  return newsOfJoining.includes(news) && booking !== undefined && endedBookingStates.includes(booking.state);
}

/** The question of a notification, and its current state; null where it asks for nothing. */
export function answerTo(
  { news, name, bookingId = '', changeId = '' }: Asking,
  { bookings, changes }: Asked,
  now: Date,
): NewsAnswer | null {
  const to = asksFor(news);
  if (to === null) return null;
  const booking = bookings.get(bookingId);
  const holdCents = booking?.fareCents ?? 0;
  return to === 'change'
    ? { to, id: changeId, name, state: changeState(changes.get(changeId), booking, now), holdCents }
    : { to, id: bookingId, name, state: bookingState(booking, now), holdCents };
}
