import { expect, test } from 'vitest';
import { calendarFile, type CalendarEntry } from './calendar.ts';

const entry: CalendarEntry = {
  uid: 'ride-1@sameway',
  sequence: 3,
  writtenAt: new Date('2026-11-20T10:00:00Z'),
  startsAt: new Date('2026-11-24T15:15:00Z'),
  endsAt: new Date('2026-11-24T15:40:00Z'),
  timeZone: 'America/Los_Angeles',
  summary: 'Ride: Mission Street → Aptos, Village; both',
  location: 'Mission Street',
  description: 'SW-7KQ2M9\nback\\slash',
  url: 'https://sameway.example/pages/order/detail?id=1',
  isCancelled: false,
};
const linesOf = (part: Partial<CalendarEntry> = {}) => calendarFile({ ...entry, ...part }).split('\r\n');

test('times are local to the departure place, with the offset beside the zone’s name', () => {
  const lines = linesOf();
  expect(lines).toContain('DTSTART;TZID=America/Los_Angeles:20261124T071500');
  expect(lines).toContain('DTEND;TZID=America/Los_Angeles:20261124T074000');
  expect(lines).toContain('TZOFFSETTO:-0800');
  expect(lines).toContain('DTSTAMP:20261120T100000Z');
});

test.each([
  ['2026-07-01T12:00:00Z', 'America/Los_Angeles', '-0700', '20260701T050000'],
  ['2026-07-01T12:00:00Z', 'Asia/Kolkata', '+0530', '20260701T173000'],
  ['2026-07-01T12:00:00Z', 'America/St_Johns', '-0230', '20260701T093000'],
])('%s in %s is %s', (at, timeZone, offset, shown) => {
  const lines = linesOf({ startsAt: new Date(at), endsAt: new Date(at), timeZone });
  expect(lines).toContain(`TZOFFSETTO:${offset}`);
  expect(lines).toContain(`DTSTART;TZID=${timeZone}:${shown}`);
});

test('where the local time is UTC no zone is named', () => {
  expect(linesOf({ timeZone: 'UTC' })).toContain('DTSTART:20261124T151500Z');
});

test('a new version keeps its name and counts on; a canceled ride says so', () => {
  const lines = linesOf({ sequence: 4, isCancelled: true });
  expect(lines).toContain('UID:ride-1@sameway');
  expect(lines).toContain('SEQUENCE:4');
  expect(lines).toContain('STATUS:CANCELLED');
});

test('text is escaped; long lines are folded by bytes and read back whole', () => {
  expect(linesOf()).toContain('SUMMARY:Ride: Mission Street → Aptos\\, Village\\; both');
  expect(linesOf()).toContain('DESCRIPTION:SW-7KQ2M9\\nback\\\\slash');
  const description = '从大学到机场，中途停靠一次。'.repeat(12);
  const lines = linesOf({ description });
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(lines.join('\r\n').replaceAll('\r\n ', '')).toContain(`DESCRIPTION:${description}`);
});

test('no text of a person becomes a line of its own, whatever a reader takes for the end of a line', () => {
  for (const end of ['\r', '\n', '\r\n', '\u0085', '\u2028', '\u2029', '\u000B']) {
    const lines = linesOf({ description: `a${end}ATTACH:https://evil.example`, summary: 'x\u202Ey' });
    expect(lines).toContain('DESCRIPTION:a\\nATTACH:https://evil.example');
    expect(lines).toContain('SUMMARY:xy');
    expect(lines.join('\r\n').replaceAll('\r\n', '')).not.toMatch(/[\r\n\u0085\u2028\u2029\u202E]/);
  }
});
