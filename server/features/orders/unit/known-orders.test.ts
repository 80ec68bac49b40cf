import { expect, test } from 'vitest';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';
import { KnownOrders, type KnownRows } from './known-orders.ts';

const rowsOf = (version: number): KnownRows => {
  const xid = `${version}`;
  const booking = { id: 'booking', rideId: 'ride', requestId: 'request', version };
  return {
    rides: new Map([['ride', { xid, row: { id: 'ride', version } as RideRow }]]),
    requests: new Map([['request', { xid, row: { id: 'request', version } as RequestRow }]]),
    bookings: new Map([['booking', { xid, row: booking as BookingRow }]]),
  };
};
const nothing = { rides: new Map(), requests: new Map(), bookings: new Map() };

test('what is known of a ride are its requests and their bookings too', () => {
  const known = new KnownOrders();
  expect(known.of(['ride'], ['request'])).toEqual(nothing);
  known.keep('one', rowsOf(1));
  expect(known.of(['ride'], [])).toEqual(rowsOf(1));
  expect(known.of([], ['request'])).toEqual({ ...rowsOf(1), rides: new Map() });
  expect(known.of(['another'], [])).toEqual(nothing);
  known.keep('one', rowsOf(2));
  expect(known.of(['ride'], [])).toEqual(rowsOf(2));
});

test('rows of another run of the database are forgotten', () => {
  const known = new KnownOrders();
  known.keep('one', rowsOf(1));
  known.keep('two', { ...nothing, rides: rowsOf(2).rides });
  expect(known.run).toBe('two');
  expect(known.of(['ride'], ['request'])).toEqual({ ...nothing, rides: rowsOf(2).rides });
});

test('meeting points of another run of the database are forgotten, those of before the first are not', () => {
  const known = new KnownOrders();
  const spots = { meetingPointsVersion: 1, pickupMeetingPoints: [], dropoffMeetingPoints: [] };
  known.keepSpots('request', spots);
  known.follow('one');
  known.keepSpots('other', spots);
  known.follow('one');
  expect([known.spotsOf('request'), known.spotsOf('other')]).toEqual([spots, spots]);
  known.follow('two');
  expect([known.spotsOf('request'), known.spotsOf('other')]).toEqual([undefined, undefined]);
});
