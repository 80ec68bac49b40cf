import type { App } from '../../app-type.ts';
import { hourMs, minuteMs } from '../../platform/clock.ts';
import type { Concerns, SignalOf } from '../../platform/events/listeners.ts';
import type { SignalName } from '../../platform/events/signals.ts';
import { licenseReason } from '../drivers/licenses/queries.ts';
import { joinsOf } from '../orders/bookings/queries.ts';
import { bookingNotices, isJoin } from './booking-notices.ts';
import type { Draft, Drafting, Gathered } from './drafts.ts';
import { eventPage, orderPage, openBookings } from './order-notices.ts';
import { rideNotices } from './ride-notices.ts';
import { neighboursOf } from './sources/store.ts';
import { tellPeople } from './tell-people.ts';

/** Turns signals of other features into notifications. */
export function listenForNotices(app: App): void {
  const drafting: Drafting = {
    ...bookingNotices(app),
    ...changeNotices(app),
    ...rideNotices(app),
    ...paymentNotices(),
    ...eventNotices(app),
    ...otherNotices(app),
    ...accountNotices(),
  };
  const concerns = Object.fromEntries(
    Object.entries(drafting).map(([name, { concerns: which }]) => [name, which]),
  ) as Concerns<SignalName>;
  app.outbox.listen('notices', concerns, (signals) => tellOf(app, drafting, signals));
}

/** Notifies people of a batch of signals. The facts that drafts need are read for all of them together. */
async function tellOf(app: App, drafting: Drafting, signals: readonly SignalOf<SignalName>[]): Promise<void> {
  const gathered = await gather(app, signals);
  const drafts: Draft[] = [];
  // Sequential: few drafts read more, and one batch must not take all connections for them.
  for (const signal of signals) drafts.push(...(await draftsOf(drafting, signal, gathered)));
  await tellPeople(app, drafts);
}

// The entry of a signal's name takes signals of that name.
const draftsOf = async <N extends SignalName>(
  drafting: Drafting,
  signal: SignalOf<N>,
  gathered: Gathered,
): Promise<readonly Draft[]> => (drafting[signal.name] as NonNullable<Drafting[N]>).drafts(signal, gathered);

async function gather({ db, kept }: App, signals: readonly SignalOf<SignalName>[]): Promise<Gathered> {
  const paid = signals.flatMap((signal) =>
    signal.name === 'booking.moved' && isJoin(signal) ? signal.payload.bookingId : [],
  );
  const rideIds = signals.flatMap(({ name, payload }) =>
    name === 'ride.moved' && payload.move === 'publish' ? payload.rideId : [],
  );
  const requestIds = signals.flatMap(({ name, payload }) =>
    name === 'request.moved' && payload.move === 'publish' ? payload.requestId : [],
  );
  const [joins, neighbors] = await Promise.all([
    joinsOf(db, paid),
    neighboursOf(kept, { rideIds, requestIds }),
  ]);
  return { joins, neighbors };
}

/** Contacts, alerts and licenses. */
const otherNotices = (app: App): Drafting => ({
  'contact.moved': {
    concerns: ({ move }) => move === 'applied' || move === 'accepted',
    drafts({ id, payload: { move, actorId, otherId } }) {
      const news = move === 'applied' ? 'contactApplied' : 'contactAccepted';
      const path = news === 'contactApplied' ? '/pages/contact/contact' : `/pages/contact/user?id=${actorId}`;
      const about = { source: `signal:${id}`, thing: `contact:${actorId}`, otherId: actorId, facts: {} };
      return [{ userId: otherId, news, ...about, path }];
    },
  },
  'alert.hit': {
    concerns: true,
    drafts: ({ at, payload: { alertId, ownerId, role } }) => [
      {
        userId: ownerId,
        news: role === 'passenger' ? 'rideHit' : 'requestHit',
        // The hits of one hour are one notification, as they are one email.
        source: `alert:${alertId}:${Math.floor(at.getTime() / hourMs)}`,
        thing: `alert:${alertId}`,
        otherId: null,
        facts: {},
        path: '/pages/discover/discover?view=alerts',
      },
    ],
  },
  'license.decided': {
    concerns: true,
    async drafts({ id, payload: { licenseId, userId, status } }) {
      const text = status === 'Reject' ? await licenseReason(app.db, licenseId) : '';
      return [
        {
          userId,
          news: status === 'Accepted' ? 'licenceAccepted' : 'licenceRejected',
          source: `signal:${id}`,
          thing: 'license',
          otherId: null,
          facts: text === '' ? {} : { text },
          path: '/pages/account/drvinglicense',
        },
      ];
    },
  },
});

/** Answers of the team, and exports of a person's data. */
const accountNotices = (): Drafting => ({
  'ticket.moved': {
    concerns: ({ move }) => move === 'answered',
    drafts: ({ id, payload: { ticketId, authorId } }) =>
      authorId === null
        ? []
        : [
            {
              userId: authorId,
              news: 'ticketAnswered',
              source: `signal:${id}`,
              thing: `ticket:${ticketId}`,
              otherId: null,
              facts: {},
              path: `/pages/feedback/feedback?ticket=${ticketId}`,
            },
          ],
  },
  'export.ended': {
    concerns: true,
    drafts: ({ payload: { exportId, userId, to } }) => [
      {
        userId,
        news: to === 'ready' ? 'exportReady' : 'exportFailed',
        source: `export:${exportId}`,
        thing: 'export',
        otherId: null,
        facts: {},
        path: '/pages/account/settings2',
      },
    ],
  },
});

/** Notifies of events: a proposed place in a ride, a change, a cancellation. */
const eventNotices = ({ db, ports }: App): Drafting => ({
  'event.proposed': {
    concerns: true,
    drafts({ id, payload: { eventId, rideId, requestId, driverId, passengerId } }) {
      const about = {
        news: 'placeProposed' as const,
        source: `signal:${id}`,
        path: eventPage(eventId),
        facts: {},
      };
      return [
        { ...about, userId: driverId, of: { rideId }, otherId: passengerId },
        { ...about, userId: passengerId, of: { requestId }, otherId: driverId },
      ];
    },
  },
  'event.changed': {
    concerns: ({ what }) => what !== 'details',
    async drafts({ id, payload: { eventId, organizerId, travellers, what } }) {
      const name = await ports.notifications.eventName(db, eventId);
      if (name === null) return [];
      // The organizer made the change, so only other travelers are notified.
      const others = travellers.filter(({ personId }) => personId !== organizerId);
      return others.map(({ personId }) => ({
        userId: personId,
        news: what === 'moved' ? 'eventMoved' : 'eventCancelled',
        source: `signal:${id}`,
        thing: `event:${eventId}`,
        otherId: organizerId,
        facts: { text: name },
        path: eventPage(eventId),
      }));
    },
  },
});

const paymentsPage = '/pages/account/payments';

/** Notifies passengers and drivers of payments. */
const paymentNotices = (): Drafting => ({
  'payment.needed': {
    concerns: true,
    drafts({ id, payload: { authorizationId, bookingId, passengerId, driverId, rideId, need, isPresent } }) {
      const about = { of: { rideId, bookingId }, source: `signal:${id}`, facts: {} };
      const toPassenger = { ...about, userId: passengerId, path: orderPage(rideId) };
      if (need !== 'driverAccount')
        return [
          {
            ...toPassenger,
            news: 'paymentNeeded',
            otherId: null,
            facts: { authorizationId, need },
            // A passenger who is just paying gets time to finish.
            emailsAfterMs: isPresent ? 2 * minuteMs : 0,
          },
        ];
      // The passenger cannot act on it.
      return [
        { ...about, userId: driverId, news: 'accountNotReady', otherId: null, path: paymentsPage },
        { ...toPassenger, news: 'driverAccount', otherId: driverId },
      ];
    },
  },
  'debt.writtenOff': {
    concerns: true,
    drafts({ id, payload: { bookingId, passengerId, driverId, rideId, requestId, amountCents } }) {
      const about = { of: { rideId, bookingId }, source: `signal:${id}`, facts: { amountCents } };
      return [
        {
          ...about,
          userId: passengerId,
          news: 'debtWrittenOff',
          otherId: null,
          path: orderPage(requestId),
        },
        { ...about, userId: driverId, news: 'fareWrittenOff', otherId: passengerId, path: orderPage(rideId) },
      ];
    },
  },
  'payment.captured': {
    concerns: true,
    drafts({ id, payload: { bookingId, passengerId, driverId, rideId, amountCents } }) {
      const about = {
        of: { rideId, bookingId },
        source: `signal:${id}`,
        path: paymentsPage,
        facts: { amountCents },
      };
      return [
        { ...about, userId: passengerId, news: 'receipt', otherId: null },
        { ...about, userId: driverId, news: 'paid', otherId: passengerId },
      ];
    },
  },
});

// A change is one notification, from its proposal until it applies.
const changeSource = (changeId: string) => `change:${changeId}`;

/** Notifies passengers of their driver's proposals, changes and edits. */
const changeNotices = (app: App): Drafting => ({
  'change.proposed': {
    concerns: true,
    drafts: ({ payload: { changeId, rideId, driverId, passengerIds } }) =>
      passengerIds.map((userId) => ({
        userId,
        news: 'changeProposed',
        of: { rideId },
        source: changeSource(changeId),
        otherId: driverId,
        path: orderPage(rideId),
        facts: { changeId },
      })),
  },
  'change.moved': {
    concerns: ({ to }) => to === 'applied',
    drafts: ({ payload: { changeId, rideId, driverId, passengerIds, byId } }) =>
      [driverId, ...passengerIds].map((userId) => ({
        userId,
        news: 'changeApplied',
        of: { rideId },
        source: changeSource(changeId),
        otherId: userId === driverId ? null : driverId,
        path: orderPage(rideId),
        facts: {},
        // The person who answered last has just seen the result.
        replaces: userId === byId ? 'asRead' : 'asNew',
      })),
  },
  'order.edited': {
    // After a passenger has agreed, terms change only by a proposal, which has notifications of its own.
    concerns: ({ kind, what }) => kind === 'ride' && what !== 'terms',
    drafts: async ({ id, payload: { orderId, ownerId } }) =>
      (await openBookings(app, orderId)).map(({ passengerId, requestId }) => ({
        userId: passengerId,
        news: 'rideEdited',
        of: { rideId: orderId },
        source: `signal:${id}`,
        otherId: ownerId,
        path: orderPage(requestId),
        facts: {},
      })),
  },
});
