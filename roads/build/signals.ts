import type { Edge } from './edges.ts';
import { ROAD_CLASSES } from './profile.ts';
import { SIGNAL_MS } from './turns.ts';

type RoadClass = (typeof ROAD_CLASSES)[number];
const rankOf = (name: RoadClass) => ROAD_CLASSES.indexOf(name);

const ARTERIALS: ReadonlySet<number> = new Set([rankOf('primary'), rankOf('secondary')]);
const RAMP = rankOf('motorway_link');

/**
 * How many junctions of two kinds of road have a signal, of all in OpenStreetMap in State College,
 * Pennsylvania, where every signal is mapped (174 signals; a junction counts when one lies within 40 meters):
 * with four roads or more, and with three.
 */
const SIGNAL_SHARES: readonly [major: RoadClass, minor: RoadClass, fourRoads: number, threeRoads: number][] =
  [
    ['primary', 'primary', 1, 0.13],
    ['primary', 'secondary', 1, 0.3],
    ['primary', 'tertiary', 0.95, 0.33],
    ['primary', 'unclassified', 0.69, 0.26],
    ['primary', 'residential', 0.1, 0.05],
    ['primary', 'service', 0.35, 0.08],
    ['secondary', 'secondary', 0.91, 0.4],
    ['secondary', 'tertiary', 0.93, 0.3],
    ['secondary', 'unclassified', 0.75, 0.15],
    ['secondary', 'residential', 0.25, 0.02],
    ['secondary', 'service', 0.5, 0.03],
    ['tertiary', 'tertiary', 0.25, 0],
  ];
/** Where a ramp ends on a primary or secondary road. */
const RAMP_SHARES = { fourRoads: 0.75, threeRoads: 0.2 };

/**
 * The average delay at signals of a region whose map has none: for each junction, by its node, the
 * milliseconds of a signal times the share of such junctions that have one. Whole milliseconds; junctions
 * that never have a signal are left out.
 */
export function expectedSignalDelays(edges: readonly Edge[]): Map<number, number> {
  const delays = new Map<number, number>();
  for (const [node, roads] of roadsByJunction(edges)) {
    const share = signalShare(roads);
    if (share > 0) delays.set(node, Math.round(share * SIGNAL_MS));
  }
  return delays;
}

interface Junction {
  /** The pieces of road that end here. */
  pieces: Set<number>;
  /** The most important class of each street that passes, by its name. */
  rankByStreet: Map<string, number>;
}

function roadsByJunction(edges: readonly Edge[]): Map<number, Junction> {
  const junctions = new Map<number, Junction>();
  for (const { segment, index } of edges) {
    for (const { id } of [segment.nodes[0]!, segment.nodes.at(-1)!]) {
      const junction = junctions.get(id) ?? { pieces: new Set(), rankByStreet: new Map() };
      junctions.set(id, junction);
      junction.pieces.add(index);
      const { name, rank } = segment.road;
      const street = name ?? `#${rank}`;
      junction.rankByStreet.set(street, Math.min(junction.rankByStreet.get(street) ?? Infinity, rank));
    }
  }
  return junctions;
}

function signalShare({ pieces, rankByStreet }: Junction): number {
  if (pieces.size < 3 || rankByStreet.size < 2) return 0;
  const column = pieces.size > 3 ? 'fourRoads' : 'threeRoads';
  const [major, minor] = [...rankByStreet.values()].toSorted((a, b) => a - b);
  if (major === RAMP && ARTERIALS.has(minor!)) return RAMP_SHARES[column];
  const row = SIGNAL_SHARES.find(([a, b]) => rankOf(a) === major && rankOf(b) === minor);
  return row === undefined ? 0 : row[column === 'fourRoads' ? 2 : 3];
}
