import { tidyText } from '#contract/units.ts';

/** One ride as a calendar entry. */
export interface CalendarEntry {
  /** The same for every version of the entry. */
  uid: string;
  /** Grows with every version, so that a calendar replaces the older one. */
  sequence: number;
  writtenAt: Date;
  startsAt: Date;
  endsAt: Date;
  timeZone: string;
  summary: string;
  location: string;
  description: string;
  url: string;
  isCancelled: boolean;
}

const pad = (value: number, length = 2) => String(Math.abs(value)).padStart(length, '0');
const utc = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '');
/** Escapes text inside a line: whatever a reader may parse as the end of a line becomes an escaped one. */
const escaped = (text: string) =>
  tidyText(text.replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n'))
    .replaceAll(/[\\;,]/g, (char) => `\\${char}`)
    .replaceAll('\n', '\\n');

/** The UTC offset of a zone at an instant, in minutes. */
function offsetMinutes(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const offsetOf = (minutes: number) =>
  `${minutes < 0 ? '-' : '+'}${pad(Math.trunc(minutes / 60))}${pad(minutes % 60)}`;
/** An instant in the local time of a zone that is `minutes` ahead of UTC. */
const local = (at: Date, minutes: number) => utc(new Date(at.getTime() + minutes * 60_000)).replace('Z', '');

/** Folds lines to at most 75 bytes, continued with a space; no character is split (RFC 5545, section 3.1). */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  for (const char of line) {
    if (Buffer.byteLength(current + char) > 75) {
      lines.push(current);
      current = ' ';
    }
    current += char;
  }
  return [...lines, current].join('\r\n');
}

/**
 * A calendar file with one entry (RFC 5545). Times are local to the departure place; the file defines the
 * zone with its offset at that time, for calendars that do not know it by name.
 */
export function calendarFile(entry: CalendarEntry): string {
  const { timeZone, startsAt, endsAt } = entry;
  const minutes = offsetMinutes(startsAt, timeZone);
  const offset = offsetOf(minutes);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Sameway//Sameway//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${utc(entry.writtenAt)}`,
    `DTSTART;TZID=${timeZone}:${local(startsAt, minutes)}`,
    `DTEND;TZID=${timeZone}:${local(endsAt, minutes)}`,
    `SUMMARY:${escaped(entry.summary)}`,
    `LOCATION:${escaped(entry.location)}`,
    `DESCRIPTION:${escaped(entry.description)}`,
    `URL:${entry.url}`,
    `STATUS:${entry.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}
