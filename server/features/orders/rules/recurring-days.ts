import { Temporal } from 'temporal-polyfill';

/** On which days a series has an order, and at what time by the clocks of its departure place. */
export interface DaysRule {
  /** ISO days of the week, 1 is Monday. */
  weekdays: readonly number[];
  /** `07:15` */
  localTime: string;
  /** Calendar days there, both included. */
  fromDay: string;
  untilDay: string;
  timeZone: string;
}

export interface RecurringDay {
  day: string;
  at: Date;
}

/** The calendar day at a place, `2026-11-24`. */
export const calendarDay = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();

/**
 * When a day's order leaves. The local time stays over a change of the clocks: one that the spring change
 * skips becomes the one an hour later, one that the autumn change repeats is meant the first time.
 */
export const instantOfDay = (day: string, { localTime, timeZone }: DaysRule): Date =>
  new Date(
    Temporal.PlainDate.from(day).toZonedDateTime({ timeZone, plainTime: localTime }).epochMilliseconds,
  );

/** Whether a series has an order on that day. */
export const hasDay = (rule: DaysRule, day: string): boolean =>
  day >= rule.fromDay &&
  day <= rule.untilDay &&
  rule.weekdays.includes(Temporal.PlainDate.from(day).dayOfWeek);

/** The days of a series that leave after `now`, soonest first. */
export function daysAfter(rule: DaysRule, now: Date): RecurringDay[] {
  const today = calendarDay(now, rule.timeZone);
  const last = Temporal.PlainDate.from(rule.untilDay);
  const days: RecurringDay[] = [];
  let date = Temporal.PlainDate.from(rule.fromDay > today ? rule.fromDay : today);
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    if (!rule.weekdays.includes(date.dayOfWeek)) continue;
    const day = date.toString();
    const at = instantOfDay(day, rule);
    if (at > now) days.push({ day, at });
  }
  return days;
}

/** The calendar day so many days after another. */
export const dayLater = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/**
 * The days of the way back of a night shift: entered as the days of the way there, each is the day after.
 * None comes before the first day of the way there.
 */
export function onDaysAfter<Rule extends DaysRule>(rule: Rule, firstThere: string): Rule {
  const [fromDay, firstBack] = [dayLater(rule.fromDay, 1), dayLater(firstThere, 1)];
  return {
    ...rule,
    weekdays: rule.weekdays.map((day) => (day % 7) + 1).toSorted((a, b) => a - b),
    fromDay: fromDay > firstBack ? fromDay : firstBack,
    untilDay: dayLater(rule.untilDay, 1),
  };
}

/**
 * Whether a way back is on the day after its way there: both were entered with the same days, and by the
 * clock it would leave before the way there does.
 */
export const isBackOnDayAfter = (there: DaysRule, back: DaysRule, day: string): boolean =>
  String(there.weekdays) === String(back.weekdays) && instantOfDay(day, back) < instantOfDay(day, there);

/** When the last day of a series is over: midnight after it, at its place. */
export const endOfRecurring = ({ untilDay, timeZone }: DaysRule): Date =>
  new Date(Temporal.PlainDate.from(untilDay).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds);
