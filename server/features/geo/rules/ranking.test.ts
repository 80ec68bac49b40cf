import { describe, expect, test } from 'vitest';
import { readQuery } from './query.ts';
import { likeness, nearness, rankPlaces, textFit, type RankedPlace } from './ranking.ts';

const here = { lon: -122.03, lat: 36.97 };
const place = (name: string, more: Partial<RankedPlace> = {}): RankedPlace => ({
  kind: 'place',
  category: '',
  name,
  otherNames: [],
  town: 'Santa Cruz',
  postcode: '95060',
  detail: more.town ?? 'Santa Cruz',
  importance: 0.3,
  ...here,
  ...more,
});
const order = (text: string, ...found: RankedPlace[]) =>
  rankPlaces(found, readQuery(text), here).map(({ name }) => name);

describe('ranking', () => {
  test('a word in the name counts more than the same word in the town', () => {
    const inTown = place('Avenue Diner', { town: 'State College' });
    expect(order('college ave', inTown, place('College Avenue', { kind: 'street' }))).toEqual([
      'College Avenue',
      'Avenue Diner',
    ]);
  });

  test('the whole name is better than its beginning', () => {
    expect(order('bay street', place('Bay Street Reservoir'), place('Bay Street'))[0]).toBe('Bay Street');
  });

  test('of equals the nearer, of equals the more important', () => {
    const far = place('Library', { town: 'Aptos', lon: -121.9 });
    expect(order('library', far, place('Library'))).toHaveLength(2);
    const [first] = rankPlaces([far, place('Library')], readQuery('library'), here);
    expect(first?.town).toBe('Santa Cruz');
    const [important] = rankPlaces(
      [
        place('Main Library', { importance: 0.1 }),
        place('Main Library', { importance: 0.9, town: 'Soquel', lon: -122.01 }),
      ],
      readQuery('main library'),
      here,
    );
    expect(important?.importance).toBe(0.9);
  });

  test('a town named after the comma is preferred', () => {
    const aptos = place('Cliff Drive', { kind: 'street', town: 'Aptos' });
    const [first] = rankPlaces(
      [place('Cliff Drive', { kind: 'street' }), aptos],
      readQuery('Cliff Dr, Aptos'),
      here,
    );
    expect(first).toBe(aptos);
  });

  test('what fits far worse than the best is left out, what nobody can be driven to comes last', () => {
    const airport = place('Virginia Highlands Airport', { kind: 'airport', town: 'VJI · United States' });
    expect(order('high st', airport, place('High Street', { kind: 'street' }))).toEqual(['High Street']);
    const manila = place('San Jose Airport', { kind: 'airport', lon: 121, lat: 12, detail: 'SJI' });
    const near = place('Mineta San Jose International Airport', {
      kind: 'airport',
      lat: 37.36,
      importance: 0.8,
    });
    expect(order('san jose airport', manila, near)[0]).toBe('Mineta San Jose International Airport');
  });
});

describe('what is meant', () => {
  test('another name is as good as the first, of two places of one name the more important comes first', () => {
    const union = place('Hetzel Union Building', { otherNames: ['HUB', 'The HUB'], category: 'university' });
    expect(order('hub', place('HUB Ticket Center'), union)[0]).toBe('Hetzel Union Building');
    const university = place('Penn State University', {
      otherNames: ['The Pennsylvania State University, University Park Campus'],
      category: 'university',
      importance: 0.85,
    });
    const office = place('Affirmative Action Office', { category: 'university' });
    expect(order('university', office, university)[0]).toBe('Penn State University');
    const center = place('University Park Data Center');
    for (const other of [place('Innovation Park'), center])
      expect(order('university park', other, university)[0]).toBe('Penn State University');
  });

  test.each([
    ['grocery', 'supermarket'],
    ['gas station', 'fuel'],
    ['train', 'station'],
    ['超市', 'supermarket'],
    ['加油站', 'fuel'],
    ['机场', 'aerodrome'],
  ])('%j asks for the kind %s, however a place is called', (text, category) => {
    const kind = category === 'aerodrome' ? 'airport' : 'place';
    const ofKind = place('Wegmans', { category, kind, lon: -122.04 });
    expect(order(text, place('Plant Drain Station', { category: 'building' }), ofKind)).toEqual(['Wegmans']);
  });

  test('a town far away comes after a part of the town here', () => {
    const far = place('Downtown', { kind: 'town', lon: -120, detail: 'Maryland', importance: 0.5 });
    const around = place('Downtown State College', { kind: 'town', importance: 0.4 });
    expect(order('downtown', far, around)[0]).toBe('Downtown State College');
  });
});

describe('what is shown', () => {
  test('nobody is shown the same thing twice', () => {
    const street = place('High Street', { kind: 'street' });
    expect(order('high', street, { ...street, kind: 'address', lon: -122.1 })).toHaveLength(1);
    expect(order('high', street, { ...street, detail: 'Aptos', lon: -122.1 })).toHaveLength(2);
    const airports = [
      place('San Jose Airport', { kind: 'airport' }),
      place('SJC', { kind: 'airport', lon: -122.031 }),
    ];
    expect(order('sjc', ...airports)).toHaveLength(1);
  });
});

test.each([
  ['street', 'street', 1],
  ['hihg', 'high', 0.75],
  ['streat', 'street', 5 / 6],
  ['a', 'street', 0],
  ['', '', 1],
])('likeness of %j and %j', (a, b, expected) => {
  expect(likeness(a, b)).toBeCloseTo(expected);
  expect(likeness(b, a)).toBeCloseTo(expected);
});

test('a misspelt word fits less than the right one, more than another', () => {
  const fit = (text: string) => textFit(place('High Street'), readQuery(text));
  expect(fit('high street')).toBeGreaterThan(fit('hihg street'));
  expect(fit('hihg street')).toBeGreaterThan(fit('zzzz street'));
});

test('nearness falls with distance and ends at 0', () => {
  expect(nearness(0)).toBe(1);
  expect(nearness(1000)).toBeGreaterThan(nearness(10_000));
  expect(nearness(20_000_000)).toBe(0);
});
