import { days, duration } from './amounts.ts';
import { dateFormat, localeOf, plainSpaces, type Language } from './intl.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The time of day at a place: `5:40 PM`; `17:40`. */
export const timeOfDay = (iso: string, zone: string, language: Language): string =>
  plainSpaces(clock(zone, language).format(new Date(iso)));

const clock = (timeZone: string, language: Language): Intl.DateTimeFormat =>
  dateFormat(localeOf(language), {
    timeZone,
    hour: language === 'zh' ? '2-digit' : 'numeric',
    minute: '2-digit',
    hourCycle: language === 'zh' ? 'h23' : 'h12',
  });

/** A time of day that belongs to no date, `07:40`: `7:40 AM`; `07:40`. */
export const clockTime = (time: string, language: Language): string =>
  timeOfDay(`1970-01-01T${time}:00Z`, 'UTC', language);

/** From one time of day to another: `8:21 – 8:31 AM`; `08:21–08:31`. */
export function timeSpan(from: string, until: string, zone: string, language: Language): string {
  if (dayOf(from, zone) !== dayOf(until, zone))
    return `${timeOfDay(from, zone, language)} – ${timeOfDay(until, zone, language)}`;
  return plainSpaces(clock(zone, language).formatRange(new Date(from), new Date(until)));
}

/** A zone's short name at an instant, such as `PST`. */
export function zoneName(iso: string, zone: string, language: Language = 'en'): string {
  const parts = dateFormat(localeOf(language), { timeZone: zone, timeZoneName: 'short' }).formatToParts(
    new Date(iso),
  );
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Whether clocks in two zones show the same time at an instant. */
export const sameClock = (iso: string, one: string, other: string): boolean =>
  dayOf(iso, one) === dayOf(iso, other) && timeOfDay(iso, one, 'zh') === timeOfDay(iso, other, 'zh');

/** `2026-11-24` of an instant at a place. */
export const dayOf = (at: number | string, zone: string): string =>
  dateFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(at),
  );

const nearDays = {
  en: { '-1': 'Yesterday', '0': 'Today', '1': 'Tomorrow' },
  zh: { '-1': '昨天', '0': '今天', '1': '明天' },
} satisfies Record<Language, Record<string, string>>;

function nearDay(iso: string, zone: string, nowMs: number, language: Language): string | null {
  const apart = Math.round((Date.parse(dayOf(iso, zone)) - Date.parse(dayOf(nowMs, zone))) / dayMs);
  const names: Record<string, string> = nearDays[language];
  return names[String(apart)] ?? null;
}

/** A date at a place: `Tue, Nov 24`, with `withYear` `Tue, Nov 24, 2027`; `11月24日 周二`. */
export function date(iso: string, zone: string, language: Language, withYear = false): string {
  const year = withYear ? { year: 'numeric' as const } : {};
  const options = { timeZone: zone, month: 'short' as const, day: 'numeric' as const, ...year };
  const at = new Date(iso);
  if (language === 'en') return dateFormat('en-US', { ...options, weekday: 'short' }).format(at);
  const weekday = dateFormat('zh-CN', { timeZone: zone, weekday: 'short' }).format(at);
  return `${dateFormat('zh-CN', options).format(at)} ${weekday}`;
}

/** A date in full: `November 24, 2026`; `2026年11月24日`. */
export const longDate = (iso: string, zone: string, language: Language): string =>
  dateFormat(localeOf(language), { timeZone: zone, dateStyle: 'long' }).format(new Date(iso));

/** A date that is read long after: `Nov 24, 2026`; `2026年11月24日`. */
export const mediumDate = (iso: string, zone: string, language: Language): string =>
  dateFormat(localeOf(language), { timeZone: zone, dateStyle: 'medium' }).format(new Date(iso));

/**
 * Date and time for a paper: `November 24, 2026 at 8:20 AM`, with `withWeekday` `Tuesday, November 24, …`.
 */
export const longDateAndTime = (iso: string, zone: string, language: Language, withWeekday = false): string =>
  plainSpaces(
    dateFormat(localeOf(language), {
      timeZone: zone,
      dateStyle: withWeekday ? 'full' : 'long',
      timeStyle: 'short',
    }).format(new Date(iso)),
  );

/** The leaf of a calendar: the month in short, and the day of the month. */
export const calendarLeaf = (
  iso: string,
  zone: string,
  language: Language,
): { month: string; day: string } => ({
  month: dateFormat(localeOf(language), { timeZone: zone, month: 'short' }).format(new Date(iso)),
  day: dateFormat('en-US', { timeZone: zone, day: 'numeric' }).format(new Date(iso)),
});

/** The name of a point on a chart's axis: `Nov 24`; of a whole month `Nov 2026`. */
export const chartDate = (iso: string, zone: string, language: Language, isMonth: boolean): string =>
  dateFormat(localeOf(language), {
    timeZone: zone,
    month: 'short',
    ...(isMonth ? { year: 'numeric' } : { day: 'numeric' }),
  }).format(new Date(iso));

/** The weekday of an instant, in full: `Tuesday`; `星期二`. */
export const weekdayOf = (iso: string, zone: string, language: Language): string =>
  dateFormat(localeOf(language), { timeZone: zone, weekday: 'long' }).format(new Date(iso));

/** The weekday of an ISO number, 1 is Monday: `Mon`; `周一`. */
export const weekdayName = (isoDay: number, language: Language): string =>
  // The fifth of January 1970 was a Monday.
  dateFormat(localeOf(language), { timeZone: 'UTC', weekday: 'short' }).format(
    new Date((isoDay + 3) * dayMs),
  );

/** The day at a place, as seen now: `Today`, `Tue, Nov 24`; the year where it is another one. */
export function day(iso: string, zone: string, nowMs: number, language: Language): string {
  const withYear = dayOf(iso, zone).slice(0, 4) !== dayOf(nowMs, zone).slice(0, 4);
  return nearDay(iso, zone, nowMs, language) ?? date(iso, zone, language, withYear);
}

/** A day, or a day and a time, as words within an English sentence: `today, 5:40 PM`. */
export const inSentence = (when: string): string =>
  when.replace(/^(?:Yesterday|Today|Tomorrow)\b/, (word) => word.toLowerCase());

/** The reader of an instant: when, in which language, and by which clocks; null where those are unknown. */
export interface Reader {
  nowMs: number;
  language: Language;
  zone: string | null;
}

/**
 * Day and time at a place: `Today, 5:40 PM`, `Tue, Nov 24, 7:15 AM`; `今天 17:40`. The zone is named where the
 * reader's clocks show another time, or may. With `until` a span: `Today, 5:40 – 6:40 PM`.
 */
export function when(iso: string, zone: string, reader: Reader, until?: string): string {
  const { nowMs, language } = reader;
  const time = until === undefined ? timeOfDay(iso, zone, language) : timeSpan(iso, until, zone, language);
  return joined(day(iso, zone, nowMs, language), time, foreignZone(iso, zone, reader), language);
}

/** Date and time at a place for a text that is read later, such as an email: `Tue, Nov 24, 7:15 AM PST`. */
export const dateAndTime = (iso: string, zone: string, reader: Omit<Reader, 'nowMs'>): string =>
  joined(
    date(iso, zone, reader.language),
    timeOfDay(iso, zone, reader.language),
    foreignZone(iso, zone, reader),
    reader.language,
  );

function joined(theDay: string, time: string, zone: string, language: Language): string {
  if (language === 'zh') return `${theDay} ${time}${zone === '' ? '' : `（${zone}）`}`;
  return `${theDay}, ${time}${zone === '' ? '' : ` ${zone}`}`;
}

/** The zone's name where the reader's clocks show another time or are unknown; else empty. */
export const foreignZone = (
  iso: string,
  zone: string,
  { language, zone: own }: Omit<Reader, 'nowMs'>,
): string => (own !== null && sameClock(iso, zone, own) ? '' : zoneName(iso, zone, language));

/** How long until or since: `in 12 min`, `3 min ago`, `now`; `12 分钟后`. */
export function relative(iso: string, nowMs: number, language: Language): string {
  const minutes = Math.round((Date.parse(iso) - nowMs) / minuteMs);
  if (minutes === 0) return language === 'zh' ? '现在' : 'now';
  const length = Math.abs(minutes);
  const amount =
    length >= 2 * 24 * 60 ? days(Math.round(length / (24 * 60)), language) : duration(length * 60, language);
  if (language === 'zh') return minutes > 0 ? `${amount}后` : `${amount}前`;
  return minutes > 0 ? `in ${amount}` : `${amount} ago`;
}

/** How long from one instant to another, as the difference of the times of day that are shown of them. */
export function between(from: string, until: string, language: Language): string {
  const minuteOf = (iso: string) => Math.floor(Date.parse(iso) / minuteMs);
  return duration((minuteOf(until) - minuteOf(from)) * 60, language);
}
