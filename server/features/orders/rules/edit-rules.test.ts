import { expect, test } from 'vitest';
import { bookingStates, rideStates, seatedStates } from '#contract/rides/moves.ts';
import { changesRideTerms, requestEdit, rideEdit, type RideTerms } from './edit-rules.ts';

test.each(bookingStates.map((state) => [state, seatedStates.includes(state)] as const))(
  'with a booking that is %s the terms of a ride are agreed: %s',
  (state, isAgreed) => {
    expect(rideEdit('matching', [{ state, awaits: null }])).toBe(isAgreed ? 'details' : 'all');
  },
);

test('both have said yes once the payment alone is missing, and have not while an answer is', () => {
  const kept = { state: 'waiting for passenger acceptance' } as const;
  expect(rideEdit('full', [{ ...kept, awaits: 'payment' }])).toBe('details');
  expect(rideEdit('full', [{ ...kept, awaits: 'answer' }])).toBe('all');
  expect(requestEdit('inviting', [{ ...kept, awaits: 'payment' }])).toBe('details');
  expect(requestEdit('inviting', [{ ...kept, awaits: 'answer' }])).toBe('all');
});

test.each(rideStates.filter((state) => !['matching', 'full', 'waiting'].includes(state)))(
  'nothing of a ride that is %s can be edited',
  (state) => expect(rideEdit(state, [])).toBe('none'),
);

const place = (lon: number) => ({ name: `At ${lon}`, detail: '', lon, lat: 37 });
const departsAt = '2026-11-24T15:00:00.000Z';
const entered = {
  from: place(-122),
  to: place(-121.9),
  via: [place(-121.95)],
  departsAt,
  flexMinutes: 10,
  priceKind: 'perPerson' as 'perPerson' | 'perCar',
  costCents: 600,
};
const stands: RideTerms = {
  fromName: 'At -122',
  fromLon: -122,
  fromLat: 37,
  toName: 'At -121.9',
  toLon: -121.9,
  toLat: 37,
  via: [place(-121.95)],
  earliestDepartsAt: new Date(departsAt),
  latestDepartsAt: new Date(Date.parse(departsAt) + 600_000),
  priceKind: 'perPerson',
  costCents: 600,
};

test.each<[what: string, part: Partial<typeof entered>, changes: boolean]>([
  ['nothing', {}, false],
  ['the time', { departsAt: '2026-11-24T15:01:00.000Z' }, true],
  ['how late it may be', { flexMinutes: 11 }, true],
  ['the start', { from: place(-122.001) }, true],
  ['the name of the end', { to: { ...place(-121.9), name: 'Elsewhere' } }, true],
  ['a stop', { via: [] }, true],
  ['the cost', { costCents: 601 }, true],
  ['what the cost is of', { priceKind: 'perCar' }, true],
])('%s: the terms of a ride change: %s', (_what, part, changes) => {
  expect(changesRideTerms(stands, { ...entered, ...part })).toBe(changes);
});
