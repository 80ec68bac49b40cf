import type { Booking, Ride } from '#contract/rides/views.ts';
import { hourMs, later, minuteMs } from '../base/clock.ts';
import { publishRide, rideAlong, talk, type StandingRide } from './orders.ts';
import { people } from './people.ts';
import type { PlaceKey } from './places.ts';
import { detourMs, personaOf, personId, type Stage } from './stage.ts';
import { askFor, noteFor, reviewBy, smallTalk } from './words.ts';

/** How many shared rides the community looks back on. */
export const finishedRides = 30;
const daysBack = 21;
/** A passenger this far off the driver's way is not worth a try. */
const worthTryingMs = 8 * minuteMs;

/** Who of driver (d) and passengers (p) reviewed the other afterwards. */
type Reviewed = 'both' | 'driver' | 'passenger' | 'neither';

interface PastRide {
  driver: string;
  daysAgo: number;
  homeward: boolean;
  /** Who rode along; null lets those whose way fits best. */
  passengers: readonly string[] | null;
  reviewed?: Reviewed;
}

/** Rides that the three accounts remember; the last ones still wait for a review of theirs. */
const remembered: readonly PastRide[] = [
  { driver: 'mia', daysAgo: 17, homeward: false, passengers: ['amina'] },
  { driver: 'grace', daysAgo: 14, homeward: false, passengers: ['leo'] },
  { driver: 'mia', daysAgo: 12, homeward: true, passengers: ['diego'] },
  { driver: 'yesenia', daysAgo: 10, homeward: false, passengers: ['ada'] },
  { driver: 'mia', daysAgo: 8, homeward: false, passengers: ['leo', 'siyu'] },
  { driver: 'emily', daysAgo: 6, homeward: true, passengers: ['leo'] },
  { driver: 'yesenia', daysAgo: 4, homeward: true, passengers: ['ada'] },
  { driver: 'mia', daysAgo: 3, homeward: true, passengers: ['siyu'], reviewed: 'passenger' },
  { driver: 'mia', daysAgo: 1, homeward: true, passengers: ['leo'], reviewed: 'driver' },
];

/** Lets the community ride together over the past three weeks, each ride by the product's own moves from publishing to review. */
export async function liveThePast(stage: Stage, stopped: () => boolean): Promise<void> {
  const { dice, days } = stage;
  const drivers = dice.shuffled(
    people.filter(({ car, key }) => car?.licence === 'Accepted' && key !== 'mia'),
  );
  let count = 0;
  for (const past of remembered) {
    if (!(await ride(stage, past)))
      throw new Error(`${past.driver} cannot remember the ride ${past.daysAgo} days ago.`);
    count += 1;
  }
  for (let turn = 0; count < finishedRides && turn < 8 * finishedRides; turn++) {
    if (stopped()) return;
    const { key, days: workdays } = drivers[turn % drivers.length]!;
    const daysAgo = dice.between(1, daysBack);
    if (!workdays.includes(days.weekdayOn(-daysAgo))) continue;
    if (await ride(stage, { driver: key, daysAgo, homeward: dice.percent(45), passengers: null })) count += 1;
  }
}

/** One ride from beginning to end; false when the driver is busy or nobody's way fits. */
async function ride(stage: Stage, past: PastRide): Promise<boolean> {
  const { clock, days, dice, diary, driveMs } = stage;
  const driver = personaOf(past.driver);
  const [from, to] = past.homeward ? [driver.work, driver.home] : [driver.home, driver.work];
  const time = past.homeward ? driver.returns : driver.leaves;
  const departsAt = later(days.on(-past.daysAgo, time), dice.pick([-10, -5, 0, 5, 10]) * minuteMs);
  const until = later(departsAt, driveMs(from, to) + hourMs);
  if (!diary.isFree(driver.key, departsAt, until)) return false;
  const wanted = past.passengers?.length ?? dice.pick([1, 1, 2, 2, 3]);
  const companions = companionsOf(stage, { driver: driver.key, from, to, departsAt, until }, past);
  if (companions.length === 0) return false;
  diary.take(driver.key, departsAt, until);

  const { price, seats } = driver.car!;
  clock.moveTo(later(departsAt, -dice.between(26, 60) * hourMs));
  const standing = await publishRide(stage, {
    person: driver.key,
    from,
    to,
    departsAt,
    flexMinutes: 10,
    maxDetourMinutes: 15,
    price,
    seats: Math.min(3, seats),
    publishedAt: clock.now(),
    visibility: 'all users',
    tags: [],
    note: noteFor(dice, driver, 'driver'),
    flight: '',
    event: null,
  });
  const joined: { person: string; bookingId: string }[] = [];
  for (const companion of companions) {
    if (joined.length === wanted) break;
    const asksAt = later(departsAt, -dice.between(5, 24) * hourMs);
    const bookingId = await rideAlong(
      stage,
      standing,
      { ...companion, seats: 1, message: askFor(dice, personaOf(companion.person)) },
      { asksAt, isAcceptedAt: later(asksAt, dice.between(4, 90) * minuteMs) },
    );
    if (bookingId !== null) joined.push({ person: companion.person, bookingId });
  }
  await stage.deliver();
  if (joined.length === 0) throw new Error(`Nobody fits into a past ride of ${driver.key}.`);
  if (dice.percent(30))
    await talk(
      stage,
      standing.id,
      [driver.key, joined[0]!.person],
      dice.pick(smallTalk),
      later(departsAt, -12 * minuteMs),
    );
  await drive(stage, standing, joined);
  await stage.deliver();
  await review(
    stage,
    standing,
    joined,
    past.reviewed ?? dice.pick(['both', 'both', 'both', 'both', 'passenger', 'neither']),
  );
  return true;
}

/** Those who may come along and whose way is near the driver's, the nearest first. */
function companionsOf(
  { diary, driveMs }: Stage,
  ride: { driver: string; from: PlaceKey; to: PlaceKey; departsAt: Date; until: Date },
  { homeward, passengers }: PastRide,
): { person: string; from: PlaceKey; to: PlaceKey }[] {
  return people
    .filter(
      ({ key }) =>
        key !== ride.driver &&
        (passengers === null ? !['mia', 'leo', 'ada'].includes(key) : passengers.includes(key)),
    )
    .filter(({ key }) => diary.isFree(key, ride.departsAt, ride.until))
    .flatMap(({ key, home, work }) => {
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
        .map((way) => ({ person: key, ...way, extraMs: detourMs(driveMs, ride, way) }))
        .toSorted((a, b) => a.extraMs - b.extraMs);
      return best === undefined || best.extraMs > worthTryingMs ? [] : [best];
    })
    .toSorted((a, b) => a.extraMs - b.extraMs)
    .map(({ person, from, to }) => ({ person, from, to }));
}

/** The day of the ride: reach, meet everybody, arrive. */
async function drive(
  { house, clock }: Stage,
  ride: StandingRide,
  joined: readonly { person: string; bookingId: string }[],
): Promise<void> {
  const { journeys } = house.rooms;
  const driverId = personId(ride.driver);
  const passengerOf = new Map(joined.map(({ person, bookingId }) => [bookingId, personId(person)]));
  const meet = async (booking: Booking) => {
    await journeys.pickUp(booking.id, false, driverId);
    await journeys.confirmMeeting(booking.id, false, passengerOf.get(booking.id)!);
  };
  const byPickUp = ({ bookings }: Ride) =>
    bookings.toSorted((a, b) => a.pickup.at.localeCompare(b.pickup.at));

  const planned = await house.rooms.rides.view(ride.id, driverId);
  const departsAt = new Date(planned.role === 'driver' ? planned.departsAt : ride.departsAt);
  clock.moveTo(later(departsAt, -4 * minuteMs));
  const { order: atStart } = await journeys.reach(ride.id, undefined, driverId);
  for (const booking of byPickUp(atStart)) if (booking.state === 'driver reached') await meet(booking);
  clock.moveTo(departsAt);
  const { order: underWay } = await journeys.depart(ride.id, driverId);
  for (const booking of byPickUp(underWay)) {
    if (booking.state !== 'waiting') continue;
    clock.moveTo(new Date(booking.pickup.at));
    await journeys.reach(ride.id, booking.id, driverId);
    await meet(booking);
  }
  clock.moveTo(new Date(underWay.arrivesAt));
  await journeys.arrive(ride.id, undefined, driverId);
}

async function review(
  { house, clock, days, dice }: Stage,
  ride: StandingRide,
  joined: readonly { person: string; bookingId: string }[],
  reviewed: Reviewed,
): Promise<void> {
  const hoursSince = (days.now.getTime() - clock.now().getTime()) / hourMs;
  clock.moveTo(later(clock.now(), Math.min(dice.between(1, 30), hoursSince / 2) * hourMs));
  for (const { person, bookingId } of joined) {
    if (reviewed === 'both' || reviewed === 'passenger')
      await house.rooms.reviews.create(personId(person), {
        bookingId,
        ...reviewBy(dice, personaOf(person), 'ofDriver'),
      });
    if (reviewed === 'both' || reviewed === 'driver')
      await house.rooms.reviews.create(personId(ride.driver), {
        bookingId,
        ...reviewBy(dice, personaOf(ride.driver), 'ofPassenger'),
      });
  }
}
