import { LRUCache } from 'lru-cache';
import findTimeZone from '@photostructure/tz-lookup';

const quarterMs = 15 * 60_000;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const formats = new Map<string, Intl.DateTimeFormat>();
const known = new LRUCache<string, LocalHour>({ max: 10_000 });

/** A place's local day of the week, 1 is Monday, and hour, 0 to 23. */
interface LocalHour {
  weekday: number;
  hour: number;
}

/**
 * The hour of an instant in an IANA time zone. Cached by quarter hour, because every zone's offset is a
 * multiple of one.
 */
export function localHour(at: Date, timeZone: string): LocalHour {
  const quarter = Math.floor(at.getTime() / quarterMs);
  const key = `${quarter} ${timeZone}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: 'numeric',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = format.formatToParts(quarter * quarterMs);
  const part = (type: string) => parts.find((each) => each.type === type)!.value;
  const found = { weekday: weekdays.indexOf(part('weekday')) + 1, hour: Number(part('hour')) };
  known.set(key, found);
  return found;
}

/** The IANA time zone at a point. */
export const timeZoneAt = (lon: number, lat: number): string => findTimeZone(lat, lon);
