import type { Preferences } from '#contract/rides/preferences.ts';

const bits = { pets: 1, luggage: 2, quiet: 4, women: 8 };
/** Companions of a passenger that must be welcome. */
const along = bits.pets | bits.luggage;

/** Preferences as a bit mask, for storage and comparison in the index. */
export const maskOf = ({ pets, luggage, quiet, women }: Preferences): number =>
  (pets ? bits.pets : 0) | (luggage ? bits.luggage : 0) | (quiet ? bits.quiet : 0) | (women ? bits.women : 0);

/**
 * Whether the preferences of a ride and a request match: what comes along is welcome, and both or neither are
 * for women only. The database checks that the two are women.
 */
export const suits = (ride: number, request: number): boolean =>
  ((request & along & ~ride) | ((request ^ ride) & bits.women)) === 0;

/** Whether only one of the two prefers a quiet ride. */
export const differsInQuiet = (ride: number, request: number): boolean =>
  ((request ^ ride) & bits.quiet) !== 0;

/** The number of things that come along, and how many of them are welcome. */
export function thingsAlong(ride: number, request: number): { welcome: number; all: number } {
  const count = (mask: number) => Number((mask & bits.pets) !== 0) + Number((mask & bits.luggage) !== 0);
  return { welcome: count(request & ride), all: count(request) };
}
