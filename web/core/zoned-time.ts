import { dateFormat } from '#contract/formats/intl.ts';

const dayMs = 86_400_000;
const written = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/**
 * The instant at which clocks in `zone` show a local date and time (`2026-11-24T07:15`, as a native picker
 * gives it). A time that the spring change skips becomes the one an hour later; one that the autumn change
 * repeats, the first. Null while the text is no complete date and time.
 */
export function instantOf(local: string, zone: string): string | null {
  const asUtc = written.test(local) ? Date.parse(`${local}Z`) : NaN;
  // A day that the month has not would be another one.
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(local)) return null;
  const [before, after] = [asUtc - dayMs, asUtc + dayMs].map((at) => aheadOfUtcMs(at, zone));
  const found = [before, after].map((ahead = 0) => asUtc - ahead).filter((at) => isShown(at, local, zone));
  // None where the change skips the time: the clocks of before it go on.
  return new Date(found.length > 0 ? Math.min(...found) : asUtc - (before ?? 0)).toISOString();
}

/** How far the clocks of a zone are ahead of UTC at an instant. */
const aheadOfUtcMs = (at: number, zone: string): number =>
  Date.parse(`${localOf(at, zone)}Z`) - Math.floor(at / 60_000) * 60_000;

const isShown = (at: number, local: string, zone: string): boolean =>
  localOf(at, zone) === local.slice(0, '2026-11-24T07:15'.length);

/** What clocks in `zone` show at an instant, in the shape a native picker takes: `2026-11-24T07:15`. */
export function localOf(instant: string | number, zone: string): string {
  // Swedish writes dates as ISO 8601 does, with a space for the T.
  const format = dateFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return format.format(new Date(instant)).replace(' ', 'T');
}

/**
 * The next full step of minutes after an instant, as a local time: a sensible first value for a departure.
 */
export function nextLocal(now: number, zone: string, stepMinutes = 15, leadMinutes = 30): string {
  const step = stepMinutes * 60_000;
  return localOf(Math.ceil((now + leadMinutes * 60_000) / step) * step, zone);
}
