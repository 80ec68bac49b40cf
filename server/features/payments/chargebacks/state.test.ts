import { expect, test } from 'vitest';
import { isAgainstUs, isOpen, transferAfter } from './state.ts';

test.each([
  ['needs_response', true, true],
  ['under_review', true, true],
  ['warning_needs_response', true, true],
  ['warning_under_review', true, true],
  ['unknown', true, true],
  ['lost', false, true],
  ['won', false, false],
  ['warning_closed', false, false],
  ['prevented', false, false],
] as const)('%s', (state, whetherOpen, whetherAgainstUs) => {
  expect(isOpen(state)).toBe(whetherOpen);
  expect(isAgainstUs(state)).toBe(whetherAgainstUs);
});

test.each([
  ['the money is gone', { before: 'none', state: 'needs_response', withdrawnCents: 2000 }, 'toTakeBack'],
  ['a bank only asks', { before: 'none', state: 'warning_needs_response', withdrawnCents: 0 }, 'none'],
  [
    'undecided, and the bank has given the money back before it was taken from the driver',
    { before: 'toTakeBack', state: 'under_review', withdrawnCents: 0 },
    'none',
  ],
  ['heard again', { before: 'takenBack', state: 'under_review', withdrawnCents: 2000 }, 'takenBack'],
  ['lost: it stays away', { before: 'takenBack', state: 'lost', withdrawnCents: 2000 }, 'takenBack'],
  ['won: the driver gets it again', { before: 'takenBack', state: 'won', withdrawnCents: 0 }, 'toSendAgain'],
  ['won before it was taken back', { before: 'toTakeBack', state: 'won', withdrawnCents: 0 }, 'none'],
  ['won, heard again', { before: 'sentAgain', state: 'won', withdrawnCents: 0 }, 'sentAgain'],
  [
    'reopened after it was won',
    { before: 'sentAgain', state: 'needs_response', withdrawnCents: 2000 },
    'toTakeBack',
  ],
  [
    'reopened before the driver got it again',
    { before: 'toSendAgain', state: 'lost', withdrawnCents: 2000 },
    'takenBack',
  ],
] as const)('the driver’s part: %s', (_when, { before, state, withdrawnCents }, after) => {
  expect(transferAfter(before, { state, withdrawnCents }, false)).toBe(after);
});

test('won while the answer to taking it back is lost: it is taken, and then sent again', () => {
  expect(transferAfter('toTakeBack', { state: 'won', withdrawnCents: 0 }, true)).toBe('toTakeBack');
});

test('lost again while the answer to sending it again is lost: it is sent, and then taken again', () => {
  expect(transferAfter('toSendAgain', { state: 'lost', withdrawnCents: 2000 }, true)).toBe('toSendAgain');
});
