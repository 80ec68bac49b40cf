import type { Booking, Ride } from '#contract/rides/views.ts';
import { acceptBooking, viewOrder } from '../features/orders/service.ts';
import { workOnPayments } from '../features/payments/service.ts';
import { writeReview } from '../features/reviews/service.ts';
import { pickUp, confirmMeeting, reach, depart, arrive } from '../features/trips/service.ts';
import { hourMs, later, minuteMs } from '../platform/clock.ts';
import { memories, people, personaOf, texts, type Memory, type Persona, type Weekday } from './demo-data.ts';
import { detourMs, type Way } from './drive-times.ts';
import { askAlong, publishRide, talk, type StandingRide } from './orders.ts';
import { personId, type SeedContext } from './seed-context.ts';
import { askFor, noteFor, reviewBy } from './texts.ts';

/** How many shared rides the community has behind it. */
export const finishedRides = 30;
const daysBack = 21;
/**
 * Rides that leave together: their steps are taken at the same time, which is much quicker than one after
 * another.
 */
const ridesAtOnce = 4;
/** People who usually leave this much earlier or later left together that day. */
const aboutTheSameTimeMs = 25 * minuteMs;
/** The driver's limit is 15 minutes; with boarding, and others on board, a way farther off would not fit. */
const nearMs = 8 * minuteMs;

/** Hours before departure in which people are awake, whether it is in the morning or the afternoon. */
const publishedHoursBefore = 34;
const askedHoursBefore = [21, 11.5, 9];

const remembering: readonly string[] = ['mia', 'leo', 'ada'];

/** A ride that is about to be lived through, with everything that chance decides. */
interface PastRide extends Way {
  driver: Persona;
  departsAt: Date;
  passengers: (Way & { person: string; message: string })[];
  note: string;
  talk: readonly string[] | null;
  reviewed: Memory['reviewed'];
}

type Lived = PastRide & { standing: StandingRide; joined: { person: string; bookingId: string }[] };

/**
 * Lets the community ride together over the past three weeks, each ride by the product's own moves from
 * publishing to review.
 */
export async function liveThePast(context: SeedContext, stopped: () => boolean): Promise<void> {
  const { dice } = context;
  let count = 0;
  for (let turn = 0; count < finishedRides; turn++) {
    if (stopped()) return;
    if (turn > 20 * finishedRides) throw new Error(`Only ${count} past rides came about.`);
    const rides = leaveTogether(context, memories[turn] ?? null, finishedRides - count);
    if (rides.length === 0) continue;
    await live(context, rides, dice.between(1, 30) * hourMs);
    count += rides.length;
  }
}

/**
 * Up to four rides that leave at the same time of one day, no person in two of them; none where no person's
 * route fits.
 */
function leaveTogether(context: SeedContext, remembered: Memory | null, most: number): PastRide[] {
  const { days, dice } = context;
  const daysAgo = remembered?.daysAgo ?? dice.between(2, daysBack);
  const homeward = remembered?.homeward ?? dice.percent(45);
  const weekday = days.weekdayOn(-daysAgo);
  const commuters = dice
    .shuffled(people)
    .filter(
      ({ car, key, days: workdays }) =>
        car?.license === 'Accepted' && workdays.includes(weekday) && key !== 'mia',
    );
  const first = remembered === null ? commuters[0] : personaOf(remembered.driver);
  if (first === undefined) return [];
  const departsAt = usualTime(context, first, daysAgo, homeward);
  const others = commuters.filter(
    (each) =>
      each !== first &&
      Math.abs(usualTime(context, each, daysAgo, homeward).getTime() - departsAt.getTime()) <=
        aboutTheSameTimeMs,
  );
  const rides: PastRide[] = [];
  for (const driver of [first, ...others]) {
    if (rides.length === Math.min(ridesAtOnce, most)) break;
    const ride = planRide(
      context,
      { driver, departsAt, homeward, weekday },
      driver === first ? remembered : null,
    );
    if (ride !== null) rides.push(ride);
  }
  if (remembered !== null && rides[0]?.driver !== first)
    throw new Error(`${first.key} cannot remember the ride ${daysAgo} days ago.`);
  return rides;
}

const usualTime = ({ days }: SeedContext, { leaves, returns }: Persona, daysAgo: number, homeward: boolean) =>
  days.on(-daysAgo, homeward ? returns : leaves);

/**
 * A ride with the passengers whose ways are nearest to it, all of them taken for its time; null when the
 * driver is busy or no passenger fits.
 */
function planRide(
  context: SeedContext,
  drive: { driver: Persona; departsAt: Date; homeward: boolean; weekday: Weekday },
  remembered: Memory | null,
): PastRide | null {
  const { dice, diary, driveMs } = context;
  const { driver, departsAt, homeward } = drive;
  const way = homeward ? { from: driver.work, to: driver.home } : { from: driver.home, to: driver.work };
  // With the time before and after that a window and detours may take.
  const [from, to] = [later(departsAt, -30 * minuteMs), later(departsAt, driveMs(way.from, way.to) + hourMs)];
  if (!diary.isFree(driver.key, from, to)) return null;
  const candidates = people.filter(({ key, days: workdays }) =>
    remembered === null
      ? !remembering.includes(key) && key !== driver.key && workdays.includes(drive.weekday)
      : remembered.passengers.includes(key),
  );
  const passengers = candidates
    .filter(({ key }) => diary.isFree(key, from, to))
    .map((persona) => ({ persona, ...nearestWay(context, way, persona, homeward) }))
    .filter(({ extraMs }) => extraMs <= nearMs)
    .toSorted((a, b) => a.extraMs - b.extraMs)
    .slice(0, remembered?.passengers.length ?? dice.pick([1, 1, 2, 2, 3]));
  if (passengers.length === 0) return null;
  for (const key of [driver.key, ...passengers.map(({ persona }) => persona.key)]) diary.take(key, from, to);
  return {
    driver,
    departsAt,
    ...way,
    passengers: passengers.map(({ persona, way: own }) => ({
      person: persona.key,
      ...own,
      message: askFor(dice, persona),
    })),
    note: noteFor(dice, driver, 'driver'),
    talk: dice.percent(30) ? dice.pick(texts.smallTalk) : null,
    reviewed: remembered?.reviewed ?? dice.pick(['both', 'both', 'both', 'both', 'passenger', 'neither']),
  };
}

/**
 * The person's usual way, or the one between home and where the driver comes from or goes: whichever is less
 * of a detour.
 */
function nearestWay(
  { driveMs }: SeedContext,
  ride: Way,
  { home, work }: Persona,
  homeward: boolean,
): { way: Way; extraMs: number } {
  const ways = homeward
    ? [
        { from: work, to: home },
        { from: ride.from, to: home },
      ]
    : [
        { from: home, to: work },
        { from: home, to: ride.to },
      ];
  const [best] = ways
    .filter((way) => way.from !== way.to)
    .map((way) => ({ way, extraMs: detourMs(driveMs, ride, way) }))
    .toSorted((a, b) => a.extraMs - b.extraMs);
  return best ?? { way: ride, extraMs: Infinity };
}

/** Rides that leave together, from publishing to the reviews. */
async function live(
  context: SeedContext,
  rides: readonly PastRide[],
  reviewedAfterMs: number,
): Promise<void> {
  const { clock, days } = context;
  const { departsAt } = rides[0]!;
  const before = (hours: number) => later(departsAt, -hours * hourMs);
  clock.moveTo(before(publishedHoursBefore));
  const lived = await Promise.all(rides.map((ride) => publish(context, ride)));
  for (let turn = 0; lived.some(({ passengers }) => turn < passengers.length); turn++) {
    const asksAt = before(askedHoursBefore[turn] ?? 1);
    const asked = await Promise.all(
      lived.map(async (ride) => {
        const passenger = ride.passengers[turn];
        if (passenger === undefined) return null;
        const bookingId = await askAlong(context, ride.standing, passenger, asksAt);
        return bookingId === null ? null : { ride, person: passenger.person, bookingId };
      }),
    );
    // All of them share one clock: no driver accepts while another passenger still asks.
    clock.moveTo(later(asksAt, 25 * minuteMs));
    await Promise.all(
      asked.map(async (one) => {
        if (one === null) return;
        const { ride, person, bookingId } = one;
        await acceptBooking(context.app.platform, bookingId, personId(ride.standing.driver));
        ride.joined.push({ person, bookingId });
      }),
    );
  }
  await context.deliver();
  for (const { standing, driver, joined, talk: lines } of lived) {
    const [companion] = joined;
    if (companion === undefined) throw new Error(`Nobody fits into the past ride of ${driver.key}.`);
    const pair = [driver.key, companion.person] as const;
    if (lines !== null)
      await talk(context, { rideId: standing.id, between: pair }, lines, later(departsAt, -12 * minuteMs));
  }
  await drive(context, lived);
  const sinceMs = days.now.getTime() - clock.now().getTime();
  clock.moveTo(later(clock.now(), Math.min(reviewedAfterMs, sinceMs / 2)));
  await review(context, lived);
}

async function publish(context: SeedContext, ride: PastRide): Promise<Lived> {
  const { driver, departsAt, from, to, note } = ride;
  const { price, seats } = driver.car!;
  const standing = await publishRide(context, {
    person: driver.key,
    from,
    to,
    departsAt,
    flexMinutes: 10,
    maxDetourMinutes: 15,
    price,
    seats: Math.min(3, seats),
    publishedAt: context.clock.now(),
    visibility: 'all users',
    tags: [],
    note,
    flight: '',
    event: null,
  });
  return { ...ride, standing, joined: [] };
}

/**
 * The day of the rides: reach, meet each passenger, arrive; delivered as it happens, so that the lines in the
 * rooms stand at their times.
 */
async function drive(context: SeedContext, lived: readonly Lived[]): Promise<void> {
  const { app, clock } = context;
  const passengerOf = new Map(
    lived.flatMap(({ joined }) => joined.map(({ person, bookingId }) => [bookingId, personId(person)])),
  );
  const meet = async (booking: Booking, driverId: string) => {
    await pickUp(app.platform, { bookingId: booking.id, undo: false }, driverId);
    await confirmMeeting(app.platform, booking.id, false, passengerOf.get(booking.id)!);
  };
  const inOrder = ({ bookings }: Ride) => bookings.toSorted((a, b) => a.pickup.at.localeCompare(b.pickup.at));
  const cars = lived.map(({ standing, driver }) => ({ rideId: standing.id, driverId: personId(driver.key) }));

  const agreed = await Promise.all(
    cars.map(({ rideId, driverId }) => viewOrder(app.platform, rideId, driverId)),
  );
  const startOf = new Map(agreed.map(({ id, from }) => [id, from]));
  const departsAt = latest(agreed.map((order) => (order.role === 'driver' ? order.departsAt : '')));
  clock.moveTo(later(departsAt, -4 * minuteMs));
  await Promise.all(
    cars.map(async ({ rideId, driverId }) => {
      const { order } = await reach(
        app.platform,
        { id: rideId, at: startOf.get(rideId)!, reason: '' },
        driverId,
      );
      for (const booking of inOrder(order))
        if (booking.state === 'driver reached') await meet(booking, driverId);
    }),
  );
  await context.deliver();
  clock.moveTo(departsAt);
  const underWay = await Promise.all(
    cars.map(async ({ rideId, driverId }) => {
      const { order } = await depart(app.platform, rideId, driverId);
      return { rideId, driverId, order, ahead: inOrder(order).filter(({ state }) => state === 'waiting') };
    }),
  );
  await context.deliver();
  for (let turn = 0; underWay.some(({ ahead }) => turn < ahead.length); turn++) {
    // The second pick-up of one car may come before the first of another.
    const pickups = underWay.flatMap(({ ahead }) => ahead[turn]?.pickup.at ?? []);
    clock.moveTo(latest([...pickups, clock.now().toISOString()]));
    await Promise.all(
      underWay.map(async ({ rideId, driverId, ahead }) => {
        const booking = ahead[turn];
        if (booking === undefined) return;
        await reach(
          app.platform,
          { id: rideId, bookingId: booking.id, at: booking.pickup, reason: '' },
          driverId,
        );
        await meet(booking, driverId);
      }),
    );
    await context.deliver();
  }
  for (const { rideId, driverId, order } of underWay.toSorted((a, b) =>
    a.order.arrivesAt.localeCompare(b.order.arrivesAt),
  )) {
    clock.moveTo(latest([order.arrivesAt, clock.now().toISOString()]));
    await arrive(app.platform, rideId, undefined, driverId);
    await workOnPayments(app.platform);
    await context.deliver();
  }
}

const latest = (instants: readonly string[]): Date => new Date(instants.toSorted().at(-1)!);

async function review({ app, dice }: SeedContext, lived: readonly Lived[]): Promise<void> {
  const written = lived.flatMap(({ driver, joined, reviewed }) =>
    joined.flatMap(({ person, bookingId }) => [
      ...(reviewed === 'both' || reviewed === 'passenger'
        ? [{ author: person, bookingId, ...reviewBy(dice, personaOf(person), 'ofDriver') }]
        : []),
      ...(reviewed === 'both' || reviewed === 'driver'
        ? [{ author: driver.key, bookingId, ...reviewBy(dice, driver, 'ofPassenger') }]
        : []),
    ]),
  );
  await Promise.all(
    written.map(({ author, ...review }) => writeReview(app.platform, personId(author), review)),
  );
}
