import { expect, test } from 'vitest';
import { holding } from './holding.ts';

const brands = ['Citroën', 'Ford', 'Land Rover', 'Mercedes-Benz', 'Renault', 'Rover'];

test('names that begin with the text come before those that hold it', () => {
  expect(holding(brands, 'ro')).toEqual(['Rover', 'Citroën', 'Land Rover']);
});

test('case and accents do not matter, and no text gives all', () => {
  expect(holding(brands, 'CITROEN')).toEqual(['Citroën']);
  expect(holding(brands, '')).toEqual(brands);
  expect(holding(brands, 'zzz')).toEqual([]);
});
