import { expect, test } from 'vitest';
import { citiesWithinReach, type ListedCity } from './cities.ts';

const watsonville: ListedCity = {
  name: 'Watsonville',
  lat: '36.91',
  lng: '-121.76',
  country: 'US',
  admin1: 'CA',
};
const tijuana: ListedCity = { name: 'Tijuana', lat: '32.5', lng: '-117.0', country: 'MX', admin1: '02' };
const boston: ListedCity = { name: 'Boston', lat: '42.36', lng: '-71.06', country: 'US', admin1: 'MA' };
const states = new Map([
  ['US.CA', 'California'],
  ['MX.02', 'Baja California'],
]);
const santaCruz = { center: { lon: -122.03, lat: 36.97 }, country: 'US' };

test('the cities within 500 miles, with their state, and the country where it is another', () => {
  const found = citiesWithinReach([watsonville, tijuana, boston], santaCruz, states);
  expect(found.map(({ name, detail }) => ({ name, detail }))).toEqual([
    { name: 'Watsonville', detail: 'California' },
    { name: 'Tijuana', detail: 'Baja California, Mexico' },
  ]);
  expect(found[0]).toMatchObject({ lon: -121.76, lat: 36.91 });
});

test('without a region all of them, each with its country', () => {
  expect(citiesWithinReach([boston], null, states)).toMatchObject([
    { name: 'Boston', detail: 'United States' },
  ]);
});
