import { expect, test } from 'vitest';
import { answerChangeBy } from './change-deadline.ts';

const at = (text: string) => new Date(`2026-11-${text}:00Z`);

test.each([
  ['two days ahead: 12 hours', '20T08:00', ['22T20:00', '22T21:00'], '20T20:00'],
  ['cut a day before the earlier departure', '20T08:00', ['22T20:00', '21T12:00'], '20T12:00'],
  ['on the day before: one hour', '20T08:00', ['20T20:00', '20T18:00'], '20T09:00'],
  ['one hour is just left', '20T08:00', ['20T10:00', '20T11:00'], '20T09:00'],
])('%s', (_name, now, departures, end) => {
  expect(answerChangeBy(at(now), departures.map(at))).toEqual(at(end));
});

test('nothing is proposed when nobody could answer any more', () => {
  expect(answerChangeBy(at('20T08:00'), [at('20T09:59'), at('21T09:59')])).toBeNull();
});
