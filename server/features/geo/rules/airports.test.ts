import { expect, test } from 'vitest';
import { isAirport } from '#contract/geo/airports.ts';
import { nameAirports, type ListedAirport } from './airports.ts';

const listed = (more: Partial<ListedAirport>): ListedAirport => ({
  iata: 'SJC',
  airport: 'Norman Y. Mineta San Jose International Airport',
  latitude: 37.36,
  longitude: -121.92,
  type: 'large_airport',
  scheduled_service: 'TRUE',
  ...more,
});

test('each counts as an airport address, whatever its name', () => {
  const named = nameAirports([
    listed({}),
    listed({ iata: 'ABQ', airport: 'Albuquerque International Sunport' }),
  ]);
  expect(named.map(isAirport)).toEqual([true, true]);
  expect(named.map(({ detail }) => detail)).toEqual(['SJC', 'Airport ABQ']);
});

test('closed ones and those without a code are left out, doubles are one', () => {
  const list = [
    listed({ type: 'closed' }),
    listed({ iata: '' }),
    listed({ scheduled_service: 'FALSE' }),
    listed({}),
    listed({ iata: 'XYZ', airport: ' ' }),
  ];
  expect(nameAirports(list)).toMatchObject([{ id: 'iata-SJC', importance: 0.8 }]);
});
