const freshMs = 60_000;
let zone: string | undefined;
let readAtMs = 0;

/**
 * The time zone of the device, as an IANA name; read again after a minute, for a device may travel. The first
 * read makes the browser load what it knows of dates, which takes a slow phone a tenth of a second.
 */
export function deviceZone(): string {
  const atMs = performance.now();
  if (zone === undefined || atMs - readAtMs > freshMs) {
    zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    readAtMs = atMs;
  }
  return zone;
}
