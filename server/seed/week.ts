import { hourMs, later, minuteMs } from '../platform/clock.ts';
import {
  contactsOfPeople,
  people,
  personaOf,
  weekOfPeople,
  type RideExtra,
  type Persona,
} from './demo-data.ts';
import type { Days } from './days.ts';
import { detourMs } from './drive-times.ts';
import { WeekPlan, type Ends, type PlannedEvent, type Week } from './week-plan.ts';

/** How many rides and requests stand open when the seed is done. */
export const openRides = 120;
export const openRequests = 60;
/** The rides home of Leo and Ada are accepted by Mia and Yesenia, so they are open no more. */
const joinedInScenes = 2;
const closeInTimeMs = 20 * minuteMs;
const closeByMs = 7 * minuteMs;

/** The three accounts have scenes of their own; chance gives them nothing. */
const starring: readonly string[] = ['mia', 'leo', 'ada'];

/** People say 8:25, not 8:27. */
export const roundDown = (ms: number) => new Date(Math.floor(ms / (5 * minuteMs)) * 5 * minuteMs);

/**
 * The coming week of the community: who offers and who needs which ride, when, for how much. The stories of
 * the three accounts come first, then airports, weekends and events, then the daily drives until the numbers
 * are reached.
 * @throws Error where the community has too few drives for the numbers.
 */
export function planWeek(basis: ConstructorParameters<typeof WeekPlan>[0]): Week {
  const { days } = basis;
  const plan = new WeekPlan(basis, planEvents(days));
  planScenes(plan);
  for (const { person, day, time, from, to, ...extra } of weekOfPeople.rides)
    plan.addRide(person, days.next(day, time), [from, to], extra);
  for (const { person, day, time, from, to, ...extra } of weekOfPeople.requests)
    plan.addRequest(person, days.next(day, time), [from, to], extra);
  planDrivesToEvents(plan);
  fillRides(plan, openRides);
  fillRequests(plan, openRequests + joinedInScenes);
  return plan.week;
}

function planEvents(days: Days): PlannedEvent[] {
  return weekOfPeople.events.map(({ day, time, hours, ...event }) => {
    // A day ahead at least, so that there is time to find each other.
    const startsAt = days.next(day, time, 24 * 60);
    return { ...event, startsAt, endsAt: later(startsAt, hours * hourMs) };
  });
}

/** The scenes for a visitor who signs in as Mia, Leo or Ada. */
function planScenes(plan: WeekPlan): void {
  const { days } = plan;
  for (const { person, day, time, from, to, published, ...planned } of weekOfPeople.scenes) {
    const publishedAt =
      published &&
      ('day' in published
        ? days.on(published.day, published.time)
        : later(days.now, -published.hoursAgo * hourMs));
    const when = publishedAt && { publishedAt };
    const { order, ...extra } = planned;
    if (order === 'ride') plan.addRide(person, days.on(day, time), [from, to], { ...extra, ...when });
    else plan.addRequest(person, days.on(day, time), [from, to], { ...extra, ...when });
  }
}

function planDrivesToEvents(plan: WeekPlan): void {
  const { dice, driveMs } = plan;
  for (const { person, ...extra } of weekOfPeople.ridesToEvents) {
    const { home } = personaOf(person);
    const { at, startsAt } = plan.eventOf(extra.event);
    const early = dice.between(10, 20) * minuteMs;
    const departsAt = roundDown(startsAt.getTime() - driveMs(home, at) - early);
    plan.addRide(person, departsAt, [home, at], { flexMinutes: 5, ...extra });
  }
  for (const { person, ...extra } of weekOfPeople.requestsToEvents) {
    const { home } = personaOf(person);
    const { at, startsAt } = plan.eventOf(extra.event);
    const around = roundDown(startsAt.getTime() - driveMs(home, at) - 35 * minuteMs);
    plan.addRequest(person, around, [home, at], { ...extra, early: 20, late: 20 });
  }
}

/** A drive: the person, the time, and the two ends. */
type DailyDrive = [who: Persona, at: Date, ends: Ends];

/** Adds rides to work and back until the week has this many. */
function fillRides(plan: WeekPlan, wanted: number): void {
  const drives = dailyDrives(
    plan,
    (who) => who.car !== null,
    () => false,
  );
  fill(wanted - plan.week.rides.length, drives, ([who, at, ends]) =>
    plan.addRide(who.key, at, ends, audienceOf(plan, who)),
  );
}

/** Adds requests to work and back until the week has this many, those first that a ride passes. */
function fillRequests(plan: WeekPlan, wanted: number): void {
  const drives = dailyDrives(
    plan,
    (who) => who.car === null,
    (drive) => isDriven(plan, drive),
  );
  fill(wanted - plan.week.requests.length, drives, ([who, at, ends]) => plan.addRequest(who.key, at, ends));
}

/** One in eight of the daily rides is for people the driver knows. */
function audienceOf({ dice }: WeekPlan, who: Persona): RideExtra {
  if (!dice.percent(12)) return {};
  return who.key in contactsOfPeople.tags && dice.percent(60)
    ? { visibility: 'tags', tags: Object.keys(contactsOfPeople.tags[who.key] ?? {}) }
    : { visibility: 'all contacts' };
}

/** Whether a ride passes there at that time, so that driver and passenger may find each other. */
function isDriven({ week, driveMs }: WeekPlan, [who, at, [from, to]]: DailyDrive): boolean {
  return week.rides.some(
    (each) =>
      each.visibility === 'all users' &&
      each.person !== who.key &&
      Math.abs(each.departsAt.getTime() + driveMs(each.from, from) - at.getTime()) <= closeInTimeMs &&
      detourMs(driveMs, each, { from, to }) <= closeByMs,
  );
}

/** Each person's drives to work and back on their days: one of each person before a second of any. */
function dailyDrives(
  { days, dice }: WeekPlan,
  isWanted: (persona: Persona) => boolean,
  comesFirst: (drive: DailyDrive) => boolean,
): DailyDrive[] {
  const ofEach = dice
    .shuffled(people.filter((each) => isWanted(each) && !starring.includes(each.key)))
    .map((each) =>
      dice
        .shuffled(
          each.days.flatMap((day): DailyDrive[] => {
            const late = dice.pick([-10, -5, 0, 0, 5, 10]) * minuteMs;
            return [
              [each, later(days.next(day, each.leaves, 105), late), [each.home, each.work]],
              [each, later(days.next(day, each.returns, 105), late), [each.work, each.home]],
            ];
          }),
        )
        .toSorted((a, b) => Number(comesFirst(b)) - Number(comesFirst(a))),
    );
  const rounds = Math.max(...ofEach.map((drives) => drives.length));
  return Array.from({ length: rounds }, (_, round) =>
    ofEach.flatMap((drives) => drives.slice(round, round + 1)),
  ).flat();
}

function fill(count: number, drives: readonly DailyDrive[], add: (drive: DailyDrive) => boolean): void {
  let left = count;
  for (const drive of drives) {
    if (left === 0) return;
    if (add(drive)) left -= 1;
  }
  if (left > 0) throw new Error(`${left} orders are missing for the week.`);
}
