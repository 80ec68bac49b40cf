import { createHash } from 'node:crypto';

/** How many of each there are in the database of the benchmark. */
export interface Shape {
  people: number;
  /** The first of the people who drive; all of them may be passengers. */
  drivers: number;
  pastRides: number;
  pastRequests: number;
  openRides: number;
  openRequests: number;
  /** Open rides and requests that have a booking with each other. */
  openBookings: number;
  lines: number;
  notices: number;
}

/** The least share at which those with a long history have all of it. */
export const leastScale = 0.02;

export function shapeOf(scale: number): Shape {
  const share = (of: number) => Math.round(of * scale);
  return {
    people: share(1_000_000),
    drivers: share(300_000),
    pastRides: share(2_000_000),
    pastRequests: share(3_000_000),
    openRides: share(120_000),
    openRequests: share(180_000),
    openBookings: share(30_000),
    lines: share(20_000_000),
    notices: share(20_000_000),
  };
}

/**
 * The first people have a long history, whatever the scale: each of them has these counts of everything, and
 * the calls are made by them.
 */
export const veterans = 5;
export const perVeteran = {
  rides: 2_500,
  requests: 2_500,
  notices: 10_000,
  contacts: 2_000,
  roomLines: 50_000,
} as const;

/** Where their requests begin among all past ones: on rides that are not their own. */
export const firstVeteranRequest = 20_000;

/** Rows of one table, each made from its number `i`. */
export interface Load {
  into: string;
  /** The first number and how many there are. */
  from?: number;
  count: number;
  /** By column, SQL over `i`. */
  columns: Record<string, string>;
}

/** The id of the row of a kind with a number: 'person', 'ride', 'request', 'event' … */
export function keyOf(kind: string, number: number): string {
  const hash = createHash('md5').update(`${kind}:${number}`).digest('hex');
  const hex = `${hash.slice(0, 12)}4${hash.slice(13, 16)}8${hash.slice(17)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
