import { Temporal } from 'temporal-polyfill';

/**
 * The instant at which clocks in a zone show a local date and time, `2026-11-24T18:30`. A time that the
 * spring change skips becomes the one an hour later; one that the autumn change repeats, the first. Null
 * where it is none.
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
