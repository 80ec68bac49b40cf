/**
 * A weight is a travel time and a length packed into one exact double: `milliseconds × 2^26 + decimetres`.
 * Adding weights adds both parts, comparing them compares times first and lengths where times are equal. A
 * shortest path is therefore the quickest, and among equally quick ones the shortest: times and lengths never
 * depend on the order in which a search visits ties. Limit: 37 hours and 6,700 km, above which sums would no
 * longer be exact.
 */
export type Weight = number;

const TIME_UNIT = 2 ** 26;

/** Packs whole milliseconds and whole decimeters. */
export function packWeight(milliseconds: number, decimetres: number): Weight {
  return milliseconds * TIME_UNIT + decimetres;
}

/** The whole milliseconds of a weight. */
export function weightMilliseconds(weight: Weight): number {
  return Math.floor(weight / TIME_UNIT);
}

/** The whole decimeters of a weight. */
export function weightDecimetres(weight: Weight): number {
  return weight - weightMilliseconds(weight) * TIME_UNIT;
}

/** The length of a weight, rounded to whole meters. */
export function weightMetres(weight: Weight): number {
  return Math.round(weightDecimetres(weight) / 10);
}

/**
 * The part of a weight before a fraction of an edge, rounded in both parts, so that before + after = whole.
 */
export function partialWeight(milliseconds: number, decimetres: number, fraction: number): Weight {
  return packWeight(Math.round(milliseconds * fraction), Math.round(decimetres * fraction));
}
