import type { RegionDescription } from './places.ts';

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const areNumbers = (count: number) => (value: unknown) =>
  Array.isArray(value) && value.length === count && value.every((each) => Number.isFinite(each));

/**
 * A check for each field: a new field without one does not compile. `checkProfile` checks the values of
 * traffic.
 */
const checks: Record<keyof RegionDescription, (value: unknown) => boolean> = {
  name: isText,
  title: isText,
  timeZone: isText,
  country: isText,
  bounds: areNumbers(4),
  center: areNumbers(2),
  attribution: isText,
  placesVersion: isText,
  placesCount: Number.isInteger,
  hasMap: isFlag,
  hasLand: isFlag,
  hasSea: (value) => value === undefined || isFlag(value),
  mapBounds: (value) => value === undefined || areNumbers(4)(value),
  traffic: (value) => value === undefined || (typeof value === 'object' && value !== null),
};

const isDescription = (value: unknown): value is RegionDescription =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(checks).every(([field, holds]) => holds(Reflect.get(value, field)));

/**
 * Parses a pack's region.json.
 * @throws Error where it is not JSON, or a field is missing or of another kind.
 */
export function parseRegionDescription(text: string): RegionDescription {
  const value: unknown = JSON.parse(text);
  if (!isDescription(value)) throw new Error('region.json lacks a field, or has one of another kind.');
  return value;
}
