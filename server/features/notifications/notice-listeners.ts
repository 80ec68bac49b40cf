import type { Actor, BookingMove, RequestMove, RideMove } from '#contract/rides/moves.ts';
import type { Platform } from '../../platform/platform.ts';
import { hourMs, later, minuteMs, secondMs } from '../../platform/clock.ts';
import {
  bookingProcess,
  requestProcess,
  rideProcess,
  type BookingProcess,
  type MoveNotice,
  type OrdersService,
} from '../orders/service.ts';
import type { OfOrder } from './order-facts.ts';
import { kindOf, type News } from './rules/notification-texts.ts';
import type { NotificationsService } from './service.ts';
import type { About } from './notifier.ts';

/** News that somebody who is about to be driven must hear even in their quiet hours. */
const pressing = new Set(['change', 'onTheWay', 'reached']);

/** So long a car that is at the pick-up, or on its way there, is news. */
const carNewsMs: Partial<Record<News, number>> = { reached: 30 * minuteMs, departed: hourMs };

/** News of a ride that is to come: an hour after its departure it stands in the app alone. */
const aboutComing: ReadonlySet<News> = new Set([
  'asked',
  'invited',
  'seatOffered',
  'accepted',
  'joinedAtOnce',
  'invitationAccepted',
  'invitationDeclined',
  'changeProposed',
  'changeApplied',
  'rideEdited',
  'placeProposed',
  'rideNearby',
  'requestNearby',
]);
const goodAfterDepartureMs = hourMs;

/** A booking that was joined so shortly before a move was joined by it. */
const joinedNowMs = 5 * secondMs;

const detail = (orderId: string) => `/pages/order/detail?id=${orderId}`;
const underWay = (rideId: string) => `/pages/order/ride?id=${rideId}`;
const eventPage = (eventId: string) => `/pages/events/events?id=${eventId}`;

/** Turns what happens in other features into news for those concerned. */
export function listenForNotices(
  { db, outbox }: Platform,
  notifications: NotificationsService,
  rides: OrdersService,
): void {
  type AboutOrder = Omit<About, 'thing' | 'facts'> & { facts?: About['facts']; at?: Date };

  /** Tells one person about an order of theirs; nothing where the order is gone. */
  async function tellOf(of: OfOrder, userId: string, news: News, about: AboutOrder): Promise<void> {
    const order = await notifications.orderFacts.ofOwn(of, userId);
    if (order !== null) await tellWith(order, of, userId, news, about);
  }

  async function tellWith(
    order: About['facts'],
    of: OfOrder,
    userId: string,
    news: News,
    { at, ...about }: AboutOrder,
  ): Promise<void> {
    const endsAfterMs = at === undefined ? undefined : carNewsMs[news];
    const departsAt = new Date(order.departsAt!);
    const goodUntil =
      endsAfterMs !== undefined
        ? later(at!, endsAfterMs)
        : aboutComing.has(news)
          ? later(departsAt, goodAfterDepartureMs)
          : null;
    await notifications.tell(userId, news, {
      ...about,
      thing: `order:${'rideId' in of ? of.rideId : of.requestId}`,
      facts: { ...order, ...about.facts },
      // A car that is late is still on its way.
      ...(pressing.has(kindOf(news)) ? { tooLateAt: later(departsAt, hourMs) } : {}),
      ...(goodUntil === null ? {} : { goodUntil }),
    });
  }

  /** A paid ride is joined when its authorization stands; one that is placed anew later on is no news. */
  async function noticeOfPaid(bookingId: string, at: Date): Promise<MoveNotice | null> {
    const [booking] = await rides.bookingsByIds(db, [bookingId]);
    if (booking?.joinedAt == null || later(booking.joinedAt, joinedNowMs) < at) return null;
    if (booking.startedBy === 'driver') return { to: 'driver', news: 'invitationAccepted' };
    const ride = await rides.rideById(booking.rideId);
    return ride?.instant === true
      ? { to: 'driver', news: 'joinedAtOnce' }
      : { to: 'passenger', news: 'accepted' };
  }

  async function noticeOf(
    { bookingId, move, actor }: { bookingId: string; move: string; actor: Actor },
    at: Date,
  ): Promise<MoveNotice | null> {
    const { notifies }: BookingProcess = bookingProcess[move as BookingMove];
    if (notifies === null) return null;
    if (notifies === 'asJoined') return noticeOfPaid(bookingId, at);
    return 'to' in notifies ? notifies : notifies[actor];
  }

  outbox.on('booking.moved', 'notices', async ({ id, at, payload }) => {
    const { bookingId, rideId, requestId, driverId, passengerId } = payload;
    const told = await noticeOf(payload, at);
    if (told === null) return;
    const [userId, otherId] = told.to === 'driver' ? [driverId, passengerId] : [passengerId, driverId];
    const path =
      told.news === 'reached' ? underWay(rideId) : detail(told.to === 'driver' ? rideId : requestId);
    const own =
      told.news === 'brokenOff'
        ? (await rides.broken.bookingsOf([rideId])).find((each) => each.bookingId === bookingId)
        : undefined;
    const facts = own === undefined ? {} : { amountCents: own.shareCents };
    const source = `signal:${id}`;
    await tellOf({ rideId, bookingId }, userId, told.news, { source, otherId, path, facts, at });
  });

  outbox.on('booking.unclear', 'notices', async ({ payload }) => {
    const { bookingId, rideId, requestId, driverId, passengerId, what } = payload;
    if (what !== 'asked') return;
    // A driver is asked once about a ride, however many came along.
    const sides = [
      { userId: driverId, otherId: passengerId, orderId: rideId, source: `unclear:${rideId}` },
      { userId: passengerId, otherId: driverId, orderId: requestId, source: `unclear:${bookingId}` },
    ];
    for (const { userId, otherId, orderId, source } of sides)
      await tellOf({ rideId, bookingId }, userId, 'tookPlaceAsked', {
        source,
        otherId,
        path: detail(orderId),
      });
  });

  // A change is one piece of news, from its proposal until it applies.
  const changeSource = (changeId: string) => `change:${changeId}`;
  outbox.on('change.proposed', 'notices', async ({ payload }) => {
    const { changeId, rideId, driverId, passengerIds } = payload;
    for (const userId of passengerIds)
      await tellOf({ rideId }, userId, 'changeProposed', {
        source: changeSource(changeId),
        otherId: driverId,
        path: detail(rideId),
        facts: { changeId },
      });
  });
  outbox.on('change.moved', 'notices', async ({ payload }) => {
    const { changeId, rideId, to, driverId, passengerIds, byId } = payload;
    if (to !== 'applied') return;
    for (const userId of [driverId, ...passengerIds])
      await tellOf({ rideId }, userId, 'changeApplied', {
        source: changeSource(changeId),
        otherId: userId === driverId ? null : driverId,
        path: detail(rideId),
        // The person whose answer was the last has just read what it did.
        replaces: userId === byId ? 'asRead' : 'asNew',
      });
  });
  outbox.on('order.edited', 'notices', async ({ id, payload: { kind, orderId, ownerId, what } }) => {
    // Terms change by a proposal once a passenger has agreed to them, and its own news tells of it.
    if (kind !== 'ride' || what === 'terms') return;
    for (const { passengerId, requestId } of await open(orderId))
      await tellOf({ rideId: orderId }, passengerId, 'rideEdited', {
        source: `signal:${id}`,
        otherId: ownerId,
        path: detail(requestId),
      });
  });
  const open = async (rideId: string) =>
    (await rides.bookingsOf(db, { rideIds: [rideId] })).filter(({ endedAt }) => endedAt === null);

  outbox.on('review.written', 'notices', ({ id, payload: { rideId, authorId, subjectId } }) =>
    tellOf({ rideId }, subjectId, 'reviewed', {
      source: `signal:${id}`,
      otherId: authorId,
      path: '/pages/order/review',
    }),
  );

  async function published(of: OfOrder, source: string): Promise<void> {
    const [news, orderId] =
      'rideId' in of ? (['rideNearby', of.rideId] as const) : (['requestNearby', of.requestId] as const);
    const neighbours = await notifications.neighboursOf(of);
    if (neighbours.length === 0) return;
    const order = await notifications.orderFacts.ofOthers(of, neighbours[0]!);
    for (const userId of neighbours)
      await tellWith(order, of, userId, news, { source, otherId: null, path: detail(orderId) });
  }
  outbox.on('ride.moved', 'notices', async ({ id, at, payload: { rideId, move, driverId, actor } }) => {
    const { notifies } = rideProcess[move as RideMove];
    if (notifies === 'driverIfByAdmin' && actor === 'admin')
      await tellOf({ rideId }, driverId, 'brokenOffByAdmin', {
        source: `signal:${id}`,
        otherId: null,
        path: detail(rideId),
      });
    if (notifies === 'neighbours') await published({ rideId }, `signal:${id}`);
    if (notifies !== 'passengers') return;
    for (const { passengerId, joinedAt } of await open(rideId)) {
      if (joinedAt === null) continue;
      await tellOf({ rideId }, passengerId, 'departed', {
        source: `signal:${id}`,
        otherId: driverId,
        path: underWay(rideId),
        at,
      });
    }
  });
  outbox.on('request.moved', 'notices', async ({ id, payload }) => {
    if (requestProcess[payload.move as RequestMove].notifies === 'neighbours')
      await published({ requestId: payload.requestId }, `signal:${id}`);
  });

  outbox.on('payment.needed', 'notices', async ({ id, payload }) => {
    const { holdId, bookingId, passengerId, driverId, rideId, need, isPresent } = payload;
    const source = `signal:${id}`;
    const of = { rideId, bookingId };
    if (need !== 'driverAccount')
      return tellOf(of, passengerId, 'paymentNeeded', {
        source,
        otherId: null,
        path: detail(rideId),
        facts: { holdId, need },
        // A passenger who is paying just now gets the time to do so.
        emailsAfterMs: isPresent ? 2 * minuteMs : 0,
      });
    // The passenger can do nothing about it.
    const path = '/pages/account/payments';
    await tellOf(of, driverId, 'accountNotReady', { source, otherId: null, path });
    await tellOf(of, passengerId, 'driverAccount', {
      source,
      otherId: driverId,
      path: detail(rideId),
    });
  });
  outbox.on('payment.captured', 'notices', async ({ id, payload }) => {
    const { bookingId, passengerId, driverId, rideId, amountCents } = payload;
    const about = { source: `signal:${id}`, path: '/pages/account/payments', facts: { amountCents } };
    const of = { rideId, bookingId };
    await tellOf(of, passengerId, 'receipt', { ...about, otherId: null });
    await tellOf(of, driverId, 'paid', { ...about, otherId: passengerId });
  });

  outbox.on('contact.moved', 'notices', async ({ id, payload: { move, actorId, otherId } }) => {
    const news = move === 'applied' ? 'contactApplied' : move === 'accepted' ? 'contactAccepted' : null;
    if (news === null) return;
    await notifications.tell(otherId, news, {
      source: `signal:${id}`,
      thing: `contact:${actorId}`,
      otherId: actorId,
      facts: {},
      path: news === 'contactApplied' ? '/pages/contact/contact' : `/pages/contact/user?id=${actorId}`,
    });
  });

  outbox.on('event.proposed', 'notices', async ({ id, payload }) => {
    const { eventId, rideId, requestId, driverId, passengerId } = payload;
    const about = { source: `signal:${id}`, path: eventPage(eventId) };
    await tellOf({ rideId }, driverId, 'placeProposed', { ...about, otherId: passengerId });
    await tellOf({ requestId }, passengerId, 'placeProposed', { ...about, otherId: driverId });
  });
  outbox.on('event.changed', 'notices', async ({ id, payload }) => {
    const { eventId, organiserId, travellers, what } = payload;
    const name = await notifications.eventName(eventId);
    if (what === 'details' || name === null) return;
    for (const { personId } of travellers)
      // Who has changed it knows.
      if (personId !== organiserId)
        await notifications.tell(personId, what === 'moved' ? 'eventMoved' : 'eventCancelled', {
          source: `signal:${id}`,
          thing: `event:${eventId}`,
          otherId: organiserId,
          facts: { text: name },
          path: eventPage(eventId),
        });
  });

  outbox.on('alert.hit', 'notices', ({ at, payload: { alertId, ownerId, role } }) =>
    notifications.tell(ownerId, role === 'passenger' ? 'rideHit' : 'requestHit', {
      // Many hits of an hour are one piece of news, as they are one email.
      source: `alert:${alertId}:${Math.floor(at.getTime() / hourMs)}`,
      thing: `alert:${alertId}`,
      otherId: null,
      facts: {},
      path: '/pages/discover/discover?view=alerts',
    }),
  );

  outbox.on('licence.decided', 'notices', async ({ id, payload: { licenceId, userId, status } }) => {
    const text = status === 'Reject' ? await notifications.licenceReason(licenceId) : '';
    await notifications.tell(userId, status === 'Accepted' ? 'licenceAccepted' : 'licenceRejected', {
      source: `signal:${id}`,
      thing: 'licence',
      otherId: null,
      facts: text === '' ? {} : { text },
      path: '/pages/account/drvinglicense',
    });
  });
}
