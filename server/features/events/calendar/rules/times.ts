import { Temporal } from 'temporal-polyfill';

/**
 * The instant of a local date and time in a zone, `2026-11-24T18:30`. A time that the spring change skips
 * becomes the one an hour later; one that the autumn change repeats, the first. Null for an invalid time.
 */
export function instantAt(local: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local)) return null;
  try {
    const zoned = Temporal.PlainDateTime.from(local, { overflow: 'reject' }).toZonedDateTime(timeZone);
    return new Date(zoned.epochMilliseconds);
  } catch {
    return null;
  }
}
