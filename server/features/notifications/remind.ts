import type { App } from '../../app-type.ts';
import { timeLimit } from '../../platform/queue/time-limit.ts';
import { bookingsToRemind } from '../orders/bookings/queries.ts';
import { remindAgain } from '../orders/service.ts';
import type { About } from './drafts.ts';
import type { News } from './rules/notification-texts.ts';
import { nextReminderAt, reminderDue } from './rules/reminders.ts';
import { toldSources } from './sources/store.ts';
import { tellPeople } from './tell-people.ts';

const pageSize = 200;
/** A round begins no further page after this time. */
const roundMs = 100;

type ComingBooking = Awaited<ReturnType<typeof bookingsToRemind>>[number];

/** A person who drives or rides along, and when. */
interface Traveler {
  userId: string;
  /** Of the ride or the booking. */
  id: string;
  at: Date;
  agreedAt: Date;
  path: string;
}

interface Reminder {
  rideId: string;
  userId: string;
  news: News;
  about: Omit<About, 'facts' | 'thing'>;
}

/**
 * Reminds drivers and passengers on the evening before a ride and an hour before it: checks the bookings that
 * are due, page by page, and notes when each is due again. In the evening those of a whole country are due at
 * once: the next rounds go on with them.
 */
export async function remind(app: App): Promise<void> {
  const { db, clock } = app;
  const now = clock.now();
  const isOver = timeLimit(roundMs);
  for (let isMore = true; isMore && !isOver();) {
    const page = await bookingsToRemind(db, now, pageSize);
    if (page.length === 0) return;
    isMore = page.length === pageSize;
    const due = page.flatMap((booking) => remindersDue(booking, now));
    const told = await toldSources(
      db,
      due.map(({ about }) => about.source),
    );
    const untold = due.filter(({ about }) => !told.has(about.source));
    await tellPeople(
      app,
      untold.map(({ rideId, userId, news, about }) => ({
        ...about,
        userId,
        news,
        of: { rideId },
        facts: {},
      })),
    );
    await remindAgain(
      app.db,
      page.map((booking) => ({ ...booking, nextAt: nextLookAt(booking, now) })),
    );
  }
}

function nextLookAt({ pickupAt, departsAt, timeZone }: ComingBooking, now: Date): Date | null {
  const times = [pickupAt, departsAt].map((at) => nextReminderAt({ at, timeZone }, now));
  return times.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

/** The reminders of a booking's passenger and driver that are due by now. */
function remindersDue(booking: ComingBooking, now: Date): Reminder[] {
  const { rideId, requestId, passengerId, driverId, bookingId, pickupAt, departsAt } = booking;
  const pathOf = (id: string) => `/pages/order/detail?id=${id}`;
  return [
    ...reminderFor(
      booking,
      {
        userId: passengerId,
        id: bookingId,
        at: pickupAt,
        agreedAt: booking.joinedAt,
        path: pathOf(requestId),
      },
      now,
    ),
    ...reminderFor(
      booking,
      { userId: driverId, id: rideId, at: departsAt, agreedAt: booking.agreedAt, path: pathOf(rideId) },
      now,
    ),
  ];
}

/** The one reminder that is due for a person by now, if any. */
function reminderFor(
  { rideId, timeZone }: ComingBooking,
  { userId, id, at, agreedAt, path }: Traveler,
  now: Date,
): Reminder[] {
  const reminder = reminderDue({ at, timeZone, agreedAt }, now);
  if (reminder === null) return [];
  const about = {
    // A ride moved to another time gets new reminders.
    source: `${reminder}:${id}:${at.getTime()}`,
    otherId: null,
    path,
    tooLateAt: at,
    goodUntil: at,
  };
  return [{ rideId, userId, news: reminder === 'evening' ? 'eveningBefore' : 'hourBefore', about }];
}
