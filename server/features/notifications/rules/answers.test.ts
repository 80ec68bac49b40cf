import { expect, test } from 'vitest';
import { answerTo, isClosed, isOutdated, type AskedBooking, type AskedChange } from './answers.ts';

const now = new Date('2026-11-23T17:00:00Z');
const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
const booking: AskedBooking = {
  state: 'requesting',
  metBy: null,
  awaits: null,
  fareCents: 550,
  joinedAt: null,
  expiresAt: after,
};
const change: AskedChange = { isOpen: true, expiresAt: after, accepted: null };
const bookingsOf = (part: Partial<AskedBooking>) => new Map([['b', { ...booking, ...part }]]);
const asked = { name: 'Mia', bookingId: 'b', changeId: 'c' };

test.each([
  ['asked', {}, false],
  // A deadline counts from when the message left.
  ['asked', { expiresAt: before }, false],
  ['asked', { state: 'waiting for passenger acceptance', awaits: 'payment' }, true],
  ['asked', { state: 'joined', joinedAt: before }, true],
  ['invited', { state: 'expired' }, true],
  ['seatOffered', { state: 'waiting for passenger acceptance', awaits: 'answer' }, false],
  ['accepted', { state: 'cancel' }, false],
] as const)('%s, the booking %j: whether it is closed is %s', (news, part, is) => {
  const facts = { bookings: bookingsOf(part), changes: new Map() };
  expect(isClosed({ news, bookingId: 'b', changeId: undefined }, facts)).toBe(is);
});

test('that a passenger joined is outdated once the booking has ended', () => {
  const of = (state: AskedBooking['state']) => ({ bookings: bookingsOf({ state }), changes: new Map() });
  expect(isOutdated({ news: 'accepted', bookingId: 'b' }, of('joined'))).toBe(false);
  expect(isOutdated({ news: 'accepted', bookingId: 'b' }, of('cancel'))).toBe(true);
  expect(isOutdated({ news: 'rejected', bookingId: 'b' }, of('rejected'))).toBe(false);
});

test.each([
  ['asked', {}, 'open'],
  ['asked', { expiresAt: before }, 'over'],
  ['asked', { state: 'joined', joinedAt: before }, 'accepted'],
  ['asked', { state: 'waiting for passenger acceptance', awaits: 'payment' }, 'accepted'],
  ['asked', { state: 'finished', joinedAt: before }, 'accepted'],
  ['asked', { state: 'rejected' }, 'declined'],
  ['asked', { state: 'cancel' }, 'over'],
  ['invited', { state: 'inviting' }, 'open'],
  ['invited', { state: 'expired' }, 'over'],
  ['seatOffered', { state: 'waiting for passenger acceptance', awaits: 'answer' }, 'open'],
] as const)('%s, the booking %j: %s', (news, part, state) => {
  const to = news === 'asked' ? 'ask' : 'invitation';
  expect(answerTo({ news, ...asked }, { bookings: bookingsOf(part), changes: new Map() }, now)).toEqual({
    to,
    id: 'b',
    name: 'Mia',
    state,
    holdCents: 550,
  });
});

test.each([
  ['open', {}, 'joined'],
  ['over', { isOpen: false }, 'joined'],
  ['over', { expiresAt: before }, 'joined'],
  ['over', {}, 'cancel'],
  ['accepted', { accepted: true }, 'joined'],
  ['declined', { accepted: false }, 'cancel'],
] as const)('a proposed change is %s where it is %j and the booking is %s', (answer, part, state) => {
  const changes = new Map([['c', { ...change, ...part }]]);
  const known = { bookings: bookingsOf({ state }), changes };
  expect(answerTo({ news: 'changeProposed', ...asked }, known, now)).toMatchObject({
    id: 'c',
    state: answer,
  });
});

test('what asks for nothing, and what is gone', () => {
  const nothing = { bookings: new Map(), changes: new Map() };
  expect(answerTo({ news: 'accepted', ...asked }, nothing, now)).toBeNull();
  expect(answerTo({ news: 'asked', ...asked }, nothing, now)).toMatchObject({ state: 'over' });
  expect(answerTo({ news: 'changeProposed', ...asked }, nothing, now)).toMatchObject({ state: 'over' });
});
