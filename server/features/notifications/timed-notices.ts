import type { Platform } from '../../platform/platform.ts';
import { dayMs, hourMs, later, secondMs } from '../../platform/clock.ts';
import { forgetUndelivered } from '../../platform/events/undelivered.ts';
import { comingBookings } from '../orders/bookings/queries.ts';
import { isSignedIn } from '../identity/queries.ts';
import { dropSignedOut } from '../../platform/messages/push-devices.ts';
import { reminderDue } from './rules/reminders.ts';
import type { News } from './rules/notification-texts.ts';
import * as sources from './sources/store.ts';
import * as store from './store.ts';
import type { createOrderFacts } from './order-facts.ts';
import type { createNotificationQueries } from './notification-queries.ts';
import type { About, createNotifier } from './notifier.ts';

/** The evening before a ride of the next day is never farther from it than this. */
const aheadMs = 30 * hourMs;
/** A message that is read within this time is news to nobody. */
const messagePauseMs = 15 * secondMs;
/** Messages older than this are told no more: who has not looked in the app for a day is not called back for them. */
const lookBackMs = dayMs;
const rememberedMs = 60 * dayMs;
const forgottenAtOnce = 5000;
const undeliveredMs = 30 * dayMs;

/** What the clock tells by itself. All of it is read from the tables, so that a restart or a jump neither loses nor repeats it. */
export function createTimedNotices(
  { db, clock }: Platform,
  {
    telling,
    reading,
    orderFacts,
    upper,
  }: {
    telling: ReturnType<typeof createNotifier>;
    reading: ReturnType<typeof createNotificationQueries>;
    orderFacts: ReturnType<typeof createOrderFacts>;
    upper: sources.UpperSources;
  },
) {
  return {
    /** The evening before a ride and an hour before it, to its driver and to everybody who comes along. */
    async remind(): Promise<void> {
      const now = clock.now();
      const coming = await comingBookings(db, now, later(now, aheadMs));
      const due: { rideId: string; userId: string; news: News; about: Omit<About, 'facts'> }[] = [];
      const note = (
        of: (typeof coming)[number],
        one: { userId: string; id: string; at: Date; agreedAt: Date; path: string },
      ) => {
        const reminder = reminderDue({ at: one.at, timeZone: of.timeZone, agreedAt: one.agreedAt }, now);
        if (reminder === null) return;
        due.push({
          rideId: of.rideId,
          userId: one.userId,
          news: reminder === 'evening' ? 'eveningBefore' : 'hourBefore',
          about: {
            // A ride that is moved to another time is reminded of anew.
            source: `${reminder}:${one.id}:${one.at.getTime()}`,
            thing: `order:${of.rideId}`,
            otherId: null,
            path: one.path,
            tooLateAt: one.at,
            goodUntil: one.at,
          },
        });
      };
      const drivers = new Set<string>();
      for (const each of coming) {
        const agreedAt = each.joinedAt!;
        const path = `/pages/order/detail?id=${each.requestId}`;
        note(each, { userId: each.passengerId, id: each.bookingId, at: each.pickupAt, agreedAt, path });
        // The rows come by who joined first: with them the ride was agreed.
        if (drivers.has(each.rideId)) continue;
        drivers.add(each.rideId);
        const own = `/pages/order/detail?id=${each.rideId}`;
        note(each, { userId: each.driverId, id: each.rideId, at: each.departsAt, agreedAt, path: own });
      }
      const told = await sources.toldSources(
        db,
        due.map(({ about }) => about.source),
      );
      for (const { rideId, userId, news, about } of due) {
        if (told.has(about.source)) continue;
        const facts = await orderFacts.ofOwn({ rideId }, userId);
        if (facts !== null) await telling.tell(userId, news, { ...about, facts });
      }
    },

    /** Messages that nobody has read for a moment: one line a room, however many there are. */
    async tellMessages(): Promise<void> {
      const until = later(clock.now(), -messagePauseMs);
      // The mark is kept in the database: an outage, however long, neither loses nor repeats a message.
      const oldest = later(until, -lookBackMs);
      const mark = await sources.messagesToldUntil(db);
      // A clock that was put back looks again.
      const since = mark === null || mark < oldest || mark > until ? oldest : mark;
      for (const { id, userId } of await sources.messagesReadSince(db, upper, later(until, -dayMs)))
        await reading.mark(userId, { ids: [id] });
      for (const each of await upper.unreadMessages(db, since, until)) {
        const { userId, roomId, readSeq, count, senderId } = each;
        await telling.tell(userId, 'messages', {
          source: `room:${roomId}:${readSeq}`,
          thing: `room:${roomId}`,
          otherId: senderId,
          // What was written stays in the room.
          facts: { count },
          path: `/pages/chat/message?roomid=${roomId}`,
          grows: true,
        });
      }
      await sources.keepMessagesTold(db, until);
    },

    /** Forgets what is long past, and devices whose sign-in is over. */
    async clearOld(): Promise<void> {
      const now = clock.now();
      // A little at a time: a person who reads or is told of news meanwhile does not wait for a year of them.
      while ((await store.forgetNews(db, later(now, -rememberedMs), forgottenAtOnce)) === forgottenAtOnce);
      await forgetUndelivered(db, later(now, -undeliveredMs));
      await dropSignedOut(db, (family) => isSignedIn(family, now));
    },
  };
}
