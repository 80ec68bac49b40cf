import type { NewsAnswer } from '#contract/notifications/endpoints.ts';
import { isAgreed, openAskStates, type BookingAwaits, type BookingState } from '#contract/rides/moves.ts';
import type { News } from './notification-texts.ts';

/** A notification that may ask its recipient something. */
export interface Asking {
  news: News;
  name: string;
  bookingId?: string | undefined;
  changeId?: string | undefined;
}

export interface AskedBooking {
  state: BookingState;
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

const asks: Partial<Record<News, NewsAnswer['to']>> = {
  asked: 'ask',
  invited: 'invitation',
  seatOffered: 'invitation',
  changeProposed: 'change',
};

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

/** What a notification asks for, and the current state of that; null where it asks for nothing. */
export function answerTo(
  { news, name, bookingId = '', changeId = '' }: Asking,
  {
    bookings,
    changes,
  }: { bookings: ReadonlyMap<string, AskedBooking>; changes: ReadonlyMap<string, AskedChange> },
  now: Date,
): NewsAnswer | null {
  const to = asks[news];
  if (to === undefined) return null;
  const booking = bookings.get(bookingId);
  const holdCents = booking?.fareCents ?? 0;
  return to === 'change'
    ? { to, id: changeId, name, state: changeState(changes.get(changeId), booking, now), holdCents }
    : { to, id: bookingId, name, state: bookingState(booking, now), holdCents };
}
