import type { Language } from './i18n.ts';

const metresPerMile = 1609.344;
const metresPerFoot = 0.3048;
const dayMs = 86_400_000;

const tagOf = (language: Language) => (language === 'zh' ? 'zh-CN' : 'en-US');

// Making an Intl formatter costs far more than using one, and lists make thousands of texts.
const formatters = new Map<string, Intl.DateTimeFormat>();
function dateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = tag + JSON.stringify(options);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(tag, options);
  formatters.set(key, made);
  return made;
}

/** Whole cents as dollars: `$12.00`. */
export function money(cents: number, _language: Language): string {
  const sign = cents < 0 ? '-' : '';
  const [whole = '0', part = '00'] = (Math.abs(cents) / 100).toFixed(2).split('.');
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`;
}

/** Metres as miles, or feet below a tenth of a mile: `4.2 mi`, `300 ft`. */
export function distance(metres: number, language: Language): string {
  const miles = metres / metresPerMile;
  if (miles < 0.1) {
    const feet = Math.round(metres / metresPerFoot / 50) * 50;
    return language === 'zh' ? `${feet} 英尺` : `${feet} ft`;
  }
  const shown = miles < 10 ? (Math.round(miles * 10) / 10).toString() : Math.round(miles).toString();
  return language === 'zh' ? `${shown} 英里` : `${shown} mi`;
}

/** Seconds as minutes and hours: `4 min`, `1 h 12 min`. */
export function duration(seconds: number, language: Language): string {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const [h, min] = language === 'zh' ? ['小时', '分钟'] : ['h', 'min'];
  if (hours === 0) return `${minutes} ${min}`;
  return rest === 0 ? `${hours} ${h}` : `${hours} ${h} ${rest} ${min}`;
}

/** How long from one instant to another, as the difference of the times of day that are shown of them. */
export function between(from: string, to: string, language: Language): string {
  const minuteOf = (iso: string) => Math.floor(Date.parse(iso) / 60_000);
  return duration((minuteOf(to) - minuteOf(from)) * 60, language);
}

/** Grams as kilograms, or grams below one: `1.2 kg`, `840 g`. */
export function weight(grams: number): string {
  if (grams < 1000) return `${Math.round(grams)} g`;
  return `${(grams / 1000).toFixed(grams < 100_000 ? 1 : 0)} kg`;
}

/** The time of day at a place: `17:40`. */
export function timeOfDay(iso: string, zone: string): string {
  return dateFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(iso),
  );
}

/** A zone's short name at an instant, such as `PST`. */
export function zoneName(iso: string, zone: string): string {
  const parts = dateFormat('en-US', { timeZone: zone, timeZoneName: 'short' }).formatToParts(new Date(iso));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** `2026-11-24` of an instant at a place. */
export function dayOf(at: number | string, zone: string): string {
  return dateFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(at),
  );
}

const nearDays = {
  en: { '-1': 'Yesterday', '0': 'Today', '1': 'Tomorrow' },
  zh: { '-1': '昨天', '0': '今天', '1': '明天' },
} satisfies Record<Language, Record<string, string>>;

const nearDay = (iso: string, zone: string, now: number, language: Language): string | null => {
  const days = Math.round((Date.parse(dayOf(iso, zone)) - Date.parse(dayOf(now, zone))) / dayMs);
  const names: Record<string, string> = nearDays[language];
  return names[String(days)] ?? null;
};

/** The day at a place: `Today`, `Tue 24 Nov`, `Tue 24 Nov 2027`; `今天`, `11月24日 周二`. */
export function day(iso: string, zone: string, now: number, language: Language): string {
  const near = nearDay(iso, zone, now, language);
  if (near !== null) return near;
  const at = new Date(iso);
  const withYear = dayOf(iso, zone).slice(0, 4) !== dayOf(now, zone).slice(0, 4);
  const tag = tagOf(language);
  const weekday = dateFormat(tag, { timeZone: zone, weekday: 'short' }).format(at);
  const parts = Object.fromEntries(
    dateFormat('en-US', { timeZone: zone, year: 'numeric', month: 'short', day: 'numeric' })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  if (language === 'zh') {
    const month = Number(dayOf(iso, zone).slice(5, 7));
    return `${withYear ? `${parts['year']}年` : ''}${month}月${parts['day']}日 ${weekday}`;
  }
  return `${weekday} ${parts['day']} ${parts['month']}${withYear ? ` ${parts['year']}` : ''}`;
}

/**
 * Day and time at a place: `Today 17:40`, `Tue 24 Nov, 07:15 PST`; `今天 17:40`, `11月24日 周二 07:15 PST`. The
 * zone is named when the day is far, or when the device stands in another zone. With `until`, a span: `Today
 * 17:40–18:40`.
 */
export function when(
  iso: string,
  zone: string,
  {
    now,
    language,
    deviceZone,
    until,
  }: { now: number; language: Language; deviceZone?: string; until?: string | undefined },
): string {
  const near = nearDay(iso, zone, now, language) !== null;
  const time = timeOfDay(iso, zone) + (until === undefined ? '' : `–${timeOfDay(until, zone)}`);
  const here = deviceZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zoned = !near || zoneName(iso, here) !== zoneName(iso, zone) ? ` ${zoneName(iso, zone)}` : '';
  const joint = near || language === 'zh' ? ' ' : ', ';
  return `${day(iso, zone, now, language)}${joint}${time}${zoned}`;
}

/** How long until or since: `in 12 min`, `3 min ago`, `now`; `12 分钟后`. */
export function relative(iso: string, now: number, language: Language): string {
  const minutes = Math.round((Date.parse(iso) - now) / 60_000);
  if (minutes === 0) return language === 'zh' ? '现在' : 'now';
  const amount =
    Math.abs(minutes) >= 2 * 24 * 60
      ? language === 'zh'
        ? `${Math.round(Math.abs(minutes) / 1440)} 天`
        : `${Math.round(Math.abs(minutes) / 1440)} days`
      : duration(Math.abs(minutes) * 60, language);
  if (language === 'zh') return minutes > 0 ? `${amount}后` : `${amount}前`;
  return minutes > 0 ? `in ${amount}` : `${amount} ago`;
}
