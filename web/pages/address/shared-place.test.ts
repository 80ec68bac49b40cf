import { expect, test } from 'vitest';
import { readShared } from './shared-place.ts';

const origin = 'https://sameway.example';
const point = (lat: number, lon: number, name = '') => ({ kind: 'point', lat, lon, name });

test.each([
  ['an address', { text: '105 Post Office Dr, Aptos' }, ['105 Post Office Dr, Aptos']],
  [
    'a place with its address and a short link',
    { text: 'Aptos Village\n105 Post Office Dr, Aptos\nhttps://maps.example/x7' },
    ['Aptos Village, 105 Post Office Dr, Aptos', '105 Post Office Dr, Aptos', 'Aptos Village'],
  ],
  ['a title alone', { title: 'Natural Bridges' }, ['Natural Bridges']],
  [
    'a link that names a place',
    { url: 'https://www.google.com/maps/search/Capitola+Beach' },
    ['Capitola Beach'],
  ],
  ['a link that names none', { url: 'https://news.example/story' }, []],
  ['nothing', {}, []],
])('%s is the name of a place', (_what, shared, names) => {
  expect(readShared(shared, origin)).toEqual({ kind: 'names', names });
});

test.each([
  [{ url: 'https://www.google.com/maps/place/Pier/@36.96,-122.02,17z/data=!3d36.9577!4d-122.0173' }, 'Pier'],
  [{ text: 'See https://maps.apple.com/?ll=36.9577,-122.0173&q=Pier' }, 'Pier'],
  [
    { title: 'Pier', url: 'https://www.openstreetmap.org/?mlat=36.9577&mlon=-122.0173#map=17/36.9/-122' },
    'Pier',
  ],
  [{ text: 'https://www.openstreetmap.org/#map=17/36.9577/-122.0173' }, ''],
  [{ text: 'geo:36.9577,-122.0173?z=15' }, ''],
  [{ text: 'geo:0,0?q=36.9577,-122.0173(Pier)' }, 'Pier'],
  [{ text: '36.9577, -122.0173' }, ''],
])('%j is a point of the map', (shared, name) => {
  expect(readShared(shared, origin)).toEqual(point(36.9577, -122.0173, name));
});

test('a link of this app leads to its page, whatever else is said', () => {
  const text = 'Ride with me on Tuesday: https://sameway.example/pages/order/linked?code=abc';
  expect(readShared({ text }, origin)).toEqual({ kind: 'link', path: '/pages/order/linked?code=abc' });
  expect(readShared({ url: 'https://sameway.example.evil.example/e/1' }, origin)).toMatchObject({
    kind: 'names',
  });
});
