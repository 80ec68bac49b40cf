import { Temporal } from 'temporal-polyfill';

/** The days on which recurring rides have an order, and the local time at their departure place. */
export interface DaysRule {
  /** ISO days of the week, 1 is Monday. */
  weekdays: readonly number[];
  /** `07:15` */
  localTime: string;
  /** Local calendar days, both included. */
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
 * When a day's order leaves. The local time stays the same across clock changes: a time skipped in spring
 * becomes one hour later, a time repeated in autumn means the first.
 */
export const instantOfDay = (day: string, { localTime, timeZone }: DaysRule): Date =>
  new Date(
    Temporal.PlainDate.from(day).toZonedDateTime({ timeZone, plainTime: localTime }).epochMilliseconds,
  );

/** Whether recurring rides have an order on that day. */
export const hasDay = (rule: DaysRule, day: string): boolean =>
  day >= rule.fromDay &&
  day <= rule.untilDay &&
  rule.weekdays.includes(Temporal.PlainDate.from(day).dayOfWeek);

/** The days that leave after `now`, soonest first. */
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

/** The calendar day this many days after another. */
export const dayLater = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/**
 * The days of a night shift's return: entered as the days of the outbound, each moves to the day after. None
 * comes before the first outbound.
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
 * Whether a return is on the day after its outbound: both were entered with the same days, and the return
 * would leave before the outbound by the clock. In the night of a clock change a skipped or repeated hour
 * changes the order of two instants; it does not change the days of a series.
 */
export const isBackOnDayAfter = (there: DaysRule, back: DaysRule, day: string): boolean =>
  String(there.weekdays) === String(back.weekdays) && byTheClock(day, back) < byTheClock(day, there);

/** When the clocks of a place show the time of a rule, if they showed the time of that day's noon all day. */
const byTheClock = (day: string, { localTime, timeZone }: DaysRule): number => {
  const { offset } = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone, plainTime: '12:00' });
  return Temporal.Instant.from(`${day}T${localTime}${offset}`).epochMilliseconds;
};

/** When the last day is over: the midnight after it, local time. */
export const endOfRecurring = ({ untilDay, timeZone }: DaysRule): Date =>
  new Date(Temporal.PlainDate.from(untilDay).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds);
