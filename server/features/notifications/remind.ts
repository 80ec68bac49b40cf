import { hourMs, later } from '../../platform/clock.ts';
import type { About } from './context.ts';
import { reminderDue } from './rules/reminders.ts';
import type { News } from './rules/notification-texts.ts';
import { toldSources } from './sources/store.ts';
import { tellPeople, type TellingContext } from './tell-people.ts';
import { comingBookings } from '../orders/bookings/queries.ts';

/** The reminder of the evening before is due at most this long before the ride. */
const aheadMs = 30 * hourMs;

type ComingRide = Awaited<ReturnType<typeof comingBookings>>[number];

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

/** Reminds drivers and passengers on the evening before a ride and an hour before it. */
export async function remind(context: TellingContext): Promise<void> {
  const { db, clock } = context.platform;
  const now = clock.now();
  const due = remindersDue(await comingBookings(db, now, later(now, aheadMs)), now);
  const told = await toldSources(
    db,
    due.map(({ about }) => about.source),
  );
  const untold = due.filter(({ about }) => !told.has(about.source));
  await tellPeople(
    context,
    untold.map(({ rideId, userId, news, about }) => ({ ...about, userId, news, of: { rideId }, facts: {} })),
  );
}

/** @param coming by who joined first */
function remindersDue(coming: readonly ComingRide[], now: Date): Reminder[] {
  const due: Reminder[] = [];
  const drivers = new Set<string>();
  for (const each of coming) {
    const { rideId, requestId, passengerId, driverId, bookingId, pickupAt, departsAt } = each;
    const agreedAt = each.joinedAt!;
    const path = `/pages/order/detail?id=${requestId}`;
    due.push(...reminderFor(each, { userId: passengerId, id: bookingId, at: pickupAt, agreedAt, path }, now));
    // For the driver, the ride was agreed when the first passenger joined.
    if (drivers.has(rideId)) continue;
    drivers.add(rideId);
    const own = `/pages/order/detail?id=${rideId}`;
    due.push(...reminderFor(each, { userId: driverId, id: rideId, at: departsAt, agreedAt, path: own }, now));
  }
  return due;
}

/** The one reminder that is due for a person by now, if any. */
function reminderFor(
  { rideId, timeZone }: ComingRide,
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
