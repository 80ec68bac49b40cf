import type { Preferences } from '#contract/rides/preferences.ts';

const bits = { pets: 1, luggage: 2, quiet: 4, women: 8 };
/** What comes along with a passenger and must be welcome. */
const along = bits.pets | bits.luggage;

/** Preferences as one small number, as the index keeps and compares them. */
export const maskOf = ({ pets, luggage, quiet, women }: Preferences): number =>
  (pets ? bits.pets : 0) | (luggage ? bits.luggage : 0) | (quiet ? bits.quiet : 0) | (women ? bits.women : 0);

/**
 * Whether a ride and a request may be brought together: what comes along is welcome, and both or neither are
 * for women among themselves. Whether the two are women is for the database to know.
 */
export const suits = (ride: number, request: number): boolean =>
  ((request & along & ~ride) | ((request ^ ride) & bits.women)) === 0;

/** Whether one of the two likes it quiet and the other has not said so. */
export const differsInQuiet = (ride: number, request: number): boolean =>
  ((request ^ ride) & bits.quiet) !== 0;

/** How many of the things that come along there are, and how many of them are welcome. */
export function thingsAlong(ride: number, request: number): { welcome: number; all: number } {
  const count = (mask: number) => Number((mask & bits.pets) !== 0) + Number((mask & bits.luggage) !== 0);
  return { welcome: count(request & ride), all: count(request) };
}
