import { expect, test } from 'vitest';
import { namesContaining } from './search-names.ts';

const brands = ['Citroën', 'Ford', 'Land Rover', 'Mercedes-Benz', 'Renault', 'Rover'];

test('names that begin with the text come before those that hold it', () => {
  expect(namesContaining(brands, 'ro')).toEqual(['Rover', 'Citroën', 'Land Rover']);
});

test('case and accents do not matter, and no text gives all', () => {
  expect(namesContaining(brands, 'CITROEN')).toEqual(['Citroën']);
  expect(namesContaining(brands, '')).toEqual(brands);
  expect(namesContaining(brands, 'zzz')).toEqual([]);
});
