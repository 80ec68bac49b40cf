import { expect, test } from 'vitest';
import { createSocketPlaces } from './realtime.ts';

test('a person has twenty sockets; one that closes makes room for another', () => {
  const places = createSocketPlaces();
  const opened = Array.from({ length: 21 }, () => places.enter('eve', '198.51.100.1'));
  expect(opened.slice(0, 20)).not.toContain(null);
  expect(opened[20]).toBeNull();
  opened[0]!();
  expect(places.enter('eve', '198.51.100.1')).not.toBeNull();
  expect(places.enter('eve', '198.51.100.1')).toBeNull();
});

test('a network has five hundred sockets of all its people; others are let in', () => {
  const places = createSocketPlaces();
  const opened = Array.from({ length: 500 }, (_, at) => places.enter(`person ${at}`, '2001:db8::/64'));
  expect(opened).not.toContain(null);
  expect(places.enter('one more', '2001:db8::/64')).toBeNull();
  expect(places.enter('one more', '198.51.100.1')).not.toBeNull();
  opened[7]!();
  expect(places.enter('one more', '2001:db8::/64')).not.toBeNull();
});

test('a refused socket counts for neither its person nor its network', () => {
  const places = createSocketPlaces();
  for (let at = 0; at < 20; at++) places.enter('eve', 'home');
  for (let at = 0; at < 600; at++) expect(places.enter('eve', 'home')).toBeNull();
  for (let at = 0; at < 480; at++) expect(places.enter(`person ${at}`, 'home')).not.toBeNull();
  expect(places.enter('one more', 'home')).toBeNull();
});
