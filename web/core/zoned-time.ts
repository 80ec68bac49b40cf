import { Temporal } from 'temporal-polyfill';

/**
 * The instant at which clocks in `zone` show a local date and time (`2026-11-24T07:15`, as a native picker
 * gives it). A time that the spring change skips becomes the one an hour later; one that the autumn change
 * repeats, the first. Null while the text is no complete date and time.
 */
export function instantOf(local: string, zone: string): string | null {
  try {
    const zoned = Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: 'compatible' });
    return new Date(zoned.epochMilliseconds).toISOString();
  } catch {
    return null;
  }
}

/** What clocks in `zone` show at an instant, in the shape a native picker takes: `2026-11-24T07:15`. */
export function localOf(instant: string | number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(new Date(instant).getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
}

/**
 * The next full step of minutes after an instant, as a local time: a sensible first value for a departure.
 */
export function nextLocal(now: number, zone: string, stepMinutes = 15, leadMinutes = 30): string {
  const step = stepMinutes * 60_000;
  return localOf(Math.ceil((now + leadMinutes * 60_000) / step) * step, zone);
}
