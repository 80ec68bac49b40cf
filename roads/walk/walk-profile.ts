import type { Tags } from '../build/osm.ts';

/**
 * Where people may walk, by the default access rules of the OpenStreetMap wiki ("OSM tags for routing/Access
 * restrictions", worldwide), except that motorways and trunk roads need an explicit tag for walkers:
 * passengers cannot wait at the edge of fast traffic.
 */

const ON_FOOT = new Set([
  'footway',
  'path',
  'pedestrian',
  'steps',
  'track',
  'cycleway',
  'bridleway',
  'primary',
  'primary_link',
  'secondary',
  'secondary_link',
  'tertiary',
  'tertiary_link',
  'unclassified',
  'residential',
  'road',
  'living_street',
  'service',
]);
const ONLY_IF_SAID = new Set(['motorway', 'motorway_link', 'trunk', 'trunk_link']);
const FORBIDDEN = new Set([
  'no',
  'private',
  'agricultural',
  'forestry',
  'emergency',
  'military',
  'permit',
  'delivery',
]);
const GRANTED = new Set(['yes', 'designated', 'permissive', 'official', 'public', 'destination']);
const SIDEWALKS = new Set(['both', 'left', 'right', 'yes']);
/** Barriers without an opening, if one is mapped across a path. */
const SOLID = new Set(['wall', 'fence', 'hedge', 'guard_rail', 'jersey_barrier']);

/** Whether a person may walk along a way. */
export function isWalkable(tags: Tags): boolean {
  const { highway = '', foot } = tags;
  const access = foot ?? tags.access;
  if (access !== undefined && FORBIDDEN.has(access)) return false;
  if (tags.impassable === 'yes') return false;
  if (ONLY_IF_SAID.has(highway) || tags.motorroad === 'yes')
    return (foot !== undefined && GRANTED.has(foot)) || hasSidewalk(tags);
  return ON_FOOT.has(highway);
}

/** Whether a person on foot cannot pass a node: a barrier that is closed to walkers or has no opening. */
export function blocksWalkers(tags: Tags): boolean {
  if (tags.barrier === undefined) return false;
  const access = tags.foot ?? tags.access;
  return access === undefined ? SOLID.has(tags.barrier) : FORBIDDEN.has(access);
}

function hasSidewalk(tags: Tags): boolean {
  return ['sidewalk', 'sidewalk:both', 'sidewalk:left', 'sidewalk:right'].some((key) =>
    SIDEWALKS.has(tags[key] ?? ''),
  );
}
