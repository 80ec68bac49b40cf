import type { App } from '../../app-type.ts';
import type { Concerns, SignalOf } from '../../platform/events/listeners.ts';
import type { Changed, SignalName, SignalPayloads } from '../../platform/events/signals.ts';
import { licenseReviewers } from '../drivers/service.ts';
import { bookingsOf, type BookingRow } from '../orders/service.ts';
import { mergeNews, type ToldNews } from './rules/merge-news.ts';

/** Rows read for a whole batch of signals, for the notification of each. */
interface Known {
  bookings: readonly BookingRow[];
  reviewerIds: readonly string[];
}

type NewsOf<N extends SignalName> = (payload: SignalPayloads[N], known: Known) => ToldNews[];
type NewsTable = { [N in SignalName]?: NewsOf<N> };

/** Publishes changes over realtime to the people concerned who have the app open. */
export function listenForNews(app: App): void {
  const { db, outbox, realtime } = app;
  const table: NewsTable = { ...newsOfMoves, ...newsOfOrders, ...otherNews, ...newsOfLicenses };
  const concerns = Object.fromEntries(Object.keys(table).map((name) => [name, true])) as Concerns<SignalName>;
  outbox.listen('news', concerns, async (signals) => {
    const [bookings, reviewerIds] = await Promise.all([
      bookingsOf(db, concerned(signals)),
      signals.some(({ name }) => Object.hasOwn(newsOfLicenses, name)) ? licenseReviewers(app) : [],
    ]);
    const told = signals.flatMap((signal) => newsOf(table, signal, { bookings, reviewerIds }));
    for (const { userIds, changed } of mergeNews(told)) realtime.tell(userIds, 'changed', changed);
  });
}

// The entry of a signal's name takes the payload of that name.
const newsOf = <N extends SignalName>(table: NewsTable, signal: SignalOf<N>, known: Known): ToldNews[] =>
  (table[signal.name] as NewsOf<N>)(signal.payload as SignalPayloads[N], known);

/**
 * The orders whose bookings say who else is concerned, where the signal does not. A ride that is published
 * has none yet.
 */
function concerned(signals: readonly SignalOf<SignalName>[]): { rideIds: string[]; requestIds: string[] } {
  const [rideIds, requestIds] = [new Set<string>(), new Set<string>()];
  for (const { name, payload } of signals) {
    if (name === 'booking.moved' && payload.otherPassengerIds === undefined) rideIds.add(payload.rideId);
    if (name === 'ride.moved' && payload.move !== 'publish') rideIds.add(payload.rideId);
    if (name === 'order.edited') (payload.kind === 'ride' ? rideIds : requestIds).add(payload.orderId);
  }
  return { rideIds: [...rideIds], requestIds: [...requestIds] };
}

const passengersOf = ({ bookings }: Known, rideId: string): string[] =>
  bookings
    .filter((booking) => booking.rideId === rideId)
    .filter(({ endedAt, state }) => endedAt === null || state === 'finished')
    .map(({ passengerId }) => passengerId);

const ofOrder = (id: string, news: string | null): Changed => ({ topic: 'order', id, news });

/** Moves of rides and bookings: to each side, and to the others in the car. */
const newsOfMoves = {
  'booking.moved': (moved, known) => {
    const { rideId, requestId, driverId, passengerId, move, actor } = moved;
    // The person who made the move has seen its answer already; only the other side gets a text.
    const news = (side: 'driver' | 'passenger') => (actor === side ? null : `booking.${move}`);
    const others = moved.otherPassengerIds ?? passengersOf(known, rideId).filter((id) => id !== passengerId);
    return [
      { userIds: [driverId], changed: ofOrder(rideId, news('driver')) },
      { userIds: [passengerId], changed: ofOrder(requestId, news('passenger')) },
      { userIds: others, changed: ofOrder(rideId, null) },
    ];
  },
  'ride.moved': ({ rideId, driverId, move }, known) => [
    { userIds: [driverId], changed: ofOrder(rideId, null) },
    { userIds: passengersOf(known, rideId), changed: ofOrder(rideId, `ride.${move}`) },
  ],
} satisfies NewsTable;

const toBothSides = ({
  rideId,
  driverId,
  requestId,
  passengerId,
}: {
  rideId: string;
  driverId: string;
  requestId: string;
  passengerId: string;
}): ToldNews[] => [
  { userIds: [driverId], changed: ofOrder(rideId, null) },
  { userIds: [passengerId], changed: ofOrder(requestId, null) },
];

/** Other changes of orders: owners and people with a booking read them again. */
const newsOfOrders = {
  'booking.unclear': toBothSides,
  'payment.moved': toBothSides,
  'waitlist.changed': toBothSides,
  'request.moved': ({ passengerId, requestId }) => [
    { userIds: [passengerId], changed: ofOrder(requestId, null) },
  ],
  'orders.expired': ({ orders }) =>
    orders.map(({ id, ownerId }) => ({ userIds: [ownerId], changed: ofOrder(id, null) })),
  'order.edited': ({ kind, orderId, ownerId }, { bookings }) => {
    const own = bookings.filter((booking) => booking[`${kind}Id`] === orderId && booking.endedAt === null);
    const others = own.map((booking) => (kind === 'ride' ? booking.passengerId : booking.driverId));
    return [
      { userIds: [ownerId], changed: ofOrder(orderId, null) },
      { userIds: others, changed: ofOrder(orderId, `${kind}.update`) },
    ];
  },
  'change.moved': ({ rideId, driverId, passengerIds }) => [
    { userIds: [driverId, ...passengerIds], changed: ofOrder(rideId, null) },
  ],
} satisfies NewsTable;

/** Notifications that features make themselves: events, reviews, contacts, tickets and profiles. */
const otherNews = {
  'live.changed': (told) => [told],
  'event.proposed': ({ eventId: id, driverId, passengerId }) => [
    { userIds: [driverId, passengerId], changed: { topic: 'event', id, news: 'event.proposed' } },
  ],
  'event.changed': ({ eventId: id, travellers, what }) => [
    {
      userIds: travellers.map(({ personId }) => personId),
      changed: { topic: 'event', id, news: what === 'details' ? null : `event.${what}` },
    },
  ],
  'review.written': ({ authorId, subjectId, rideId: id }) => [
    { userIds: [authorId, subjectId], changed: { topic: 'review', id, news: null } },
  ],
  'contact.moved': ({ actorId, otherId, move }) => {
    // People who were denied, removed or blocked get no text; their pages still read the data again.
    const news = ['applied', 'accepted', 'met'].includes(move) ? `contact.${move}` : null;
    return [
      { userIds: [actorId], changed: { topic: 'contact', id: otherId, news: null } },
      { userIds: [otherId], changed: { topic: 'contact', id: actorId, news } },
    ];
  },
  // The author does not learn who handles the ticket.
  'ticket.moved': ({ ticketId: id, authorId, assigneeId }) => [
    {
      userIds: [authorId, assigneeId].filter((each) => each !== null),
      changed: { topic: 'ticket', id, news: null },
    },
  ],
  'profile.changed': ({ userId: id }) => [{ userIds: [id], changed: { topic: 'profile', id, news: null } }],
} satisfies NewsTable;

const newsOfLicenses = {
  'license.sent': ({ licenseId: id }, { reviewerIds }) => [
    { userIds: reviewerIds, changed: { topic: 'license', id, news: null } },
  ],
  'license.decided': ({ licenseId: id, userId, status }, { reviewerIds }) => [
    { userIds: [userId], changed: { topic: 'license', id, news: `license.${status}` } },
    { userIds: reviewerIds, changed: { topic: 'license', id, news: null } },
  ],
} satisfies NewsTable;
