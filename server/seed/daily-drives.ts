import { later, minuteMs } from '../platform/clock.ts';
import { contactTags } from './contact-tags.ts';
import { people, type Persona } from './people.ts';
import { detourMs } from './drive-times.ts';
import type { Ends, Extra, WeekPlan } from './week-plan.ts';

const closeInTimeMs = 20 * minuteMs;
const closeByMs = 7 * minuteMs;

/** The three accounts have scenes of their own; chance gives them nothing. */
const starring: readonly string[] = ['mia', 'leo', 'ada'];

/** A drive: the person, the time, and the two ends. */
type DailyDrive = [who: Persona, at: Date, ends: Ends];

/**
 * Adds rides to work and back until the week has this many.
 * @throws Error where the community has too few.
 */
export function fillRides(plan: WeekPlan, wanted: number): void {
  const drives = dailyDrives(
    plan,
    (who) => who.car !== null,
    () => false,
  );
  fill(wanted - plan.week.rides.length, drives, ([who, at, ends]) =>
    plan.addRide(who.key, at, ends, audienceOf(plan, who)),
  );
}

/**
 * Adds requests to work and back until the week has this many, those first that a ride passes.
 * @throws Error where the community has too few.
 */
export function fillRequests(plan: WeekPlan, wanted: number): void {
  const drives = dailyDrives(
    plan,
    (who) => who.car === null,
    (drive) => isDriven(plan, drive),
  );
  fill(wanted - plan.week.requests.length, drives, ([who, at, ends]) => plan.addRequest(who.key, at, ends));
}

/** One in eight of the daily rides is for people the driver knows. */
function audienceOf({ dice }: WeekPlan, who: Persona): Extra {
  if (!dice.percent(12)) return {};
  return who.key in contactTags && dice.percent(60)
    ? { visibility: 'tags', tags: Object.keys(contactTags[who.key]!) }
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
