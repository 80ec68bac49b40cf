import { greatCircleMetres, type LonLat } from '../graph/geometry.ts';
import { OUTSIDE_LIMIT_METRES } from '../graph/outside.ts';

/** Where a road leaves or enters a part of the graph. */
export interface Gateway {
  edge: number;
  at: LonLat;
}

/** An estimated drive from where a road leaves one part to where a road enters another. */
export interface Link {
  exit: Gateway;
  entry: Gateway;
}

/** A link is left out when the detour over another link is at most this factor longer, in a straight line. */
const STRETCH = 1.25;
/** Most links from one part to another. */
const MOST_LINKS = 32;

/**
 * The links from one part to another: the shortest, and of the others those that no link chosen before can
 * replace. Parts far apart get one or two, adjacent parts one for each place where roads come near each
 * other. There is at least one wherever an exit and an entry lie within 500 miles.
 */
export function linksBetween(exits: readonly Gateway[], entries: readonly Gateway[]): Link[] {
  const candidates = nearestPairs(exits, entries)
    .filter(({ metres }) => metres <= OUTSIDE_LIMIT_METRES)
    .toSorted((a, b) => a.metres - b.metres);
  const kept: (Link & { metres: number })[] = [];
  for (const { exit, entry, metres } of candidates) {
    if (kept.length === MOST_LINKS) break;
    const standsIn = (other: Link & { metres: number }) =>
      greatCircleMetres(exit.at, other.exit.at) +
        other.metres +
        greatCircleMetres(other.entry.at, entry.at) <=
      STRETCH * metres;
    if (!kept.some(standsIn)) kept.push({ exit, entry, metres });
  }
  return kept;
}

/** Each exit with its nearest entry, and each entry with its nearest exit. */
function nearestPairs(exits: readonly Gateway[], entries: readonly Gateway[]): (Link & { metres: number })[] {
  const toEntry = exits.map((exit) => ({ exit, entry: entries[0]!, metres: Infinity }));
  const fromExit = entries.map((entry) => ({ exit: exits[0]!, entry, metres: Infinity }));
  exits.forEach((exit, i) =>
    entries.forEach((entry, j) => {
      const metres = greatCircleMetres(exit.at, entry.at);
      if (metres < toEntry[i]!.metres) toEntry[i] = { exit, entry, metres };
      if (metres < fromExit[j]!.metres) fromExit[j] = { exit, entry, metres };
    }),
  );
  return [...toEntry, ...fromExit].filter(({ metres }) => metres < Infinity);
}
