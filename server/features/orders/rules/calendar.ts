import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
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

/** The library knows fewer ends of a line than some readers do: each becomes one that it escapes. */
const cleaned = (text: string) => tidyText(text.replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n'));

/** The zone with its offset at an instant, for calendars that do not know it by name. */
function zoneBlock(timeZone: string, at: Temporal.Instant): string {
  const offset = at.toZonedDateTimeISO(timeZone).offset.replace(':', '');
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
    'END:VTIMEZONE',
  ].join('\r\n');
}

/** A calendar file with one entry (RFC 5545). Times are local to the departure place. */
export function calendarFile(entry: CalendarEntry): string {
  const [stamp, start, end] = [entry.writtenAt, entry.startsAt, entry.endsAt].map((at) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()),
  ) as [Temporal.Instant, Temporal.Instant, Temporal.Instant];
  const calendar = ical({
    prodId: { company: 'Sameway', product: 'Sameway' },
    method: ICalCalendarMethod.PUBLISH,
    scale: 'GREGORIAN',
    // A zone of the calendar itself would make the stamp local, which must be in UTC.
    timezone: { name: null, generator: (timeZone) => zoneBlock(timeZone, start) },
  });
  calendar.createEvent({
    id: entry.uid,
    timezone: entry.timeZone,
    sequence: entry.sequence,
    stamp,
    start,
    end,
    summary: cleaned(entry.summary),
    location: cleaned(entry.location),
    description: cleaned(entry.description),
    url: entry.url,
    status: entry.isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  return `${calendar.toString()}\r\n`;
}
