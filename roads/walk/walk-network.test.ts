import { describe, expect, test } from 'vitest';
import { buildRoadGraph } from '../build/build.ts';
import type { RoadData } from '../build/extract.ts';
import { createRoadNetwork } from '../graph/graph-network.ts';
import { greatCircleMetres, type LonLat } from '../graph/geometry.ts';
import { completeGraph } from '../graph/graph.ts';
import type { OsmNode, OsmWay, Tags } from '../build/osm.ts';
import { buildWalkGraph } from './walk-build.ts';
import { walkWaysOf } from './walk-extract.ts';
import { createWalkNetwork } from './walk-network.ts';

const METRE = 1 / 111_195;

/** A place by its meters east and north of the equator's zero; there a degree is as long either way. */
const at = (east: number, north: number): LonLat => ({ lon: east * METRE, lat: north * METRE });

/** A town from lines of [east, north] corners in meters: lines meet where they share a corner. */
function town(lines: { tags: Tags; corners: [number, number][] }[], barriers: [number, number, Tags][] = []) {
  const ids = new Map<string, OsmNode>();
  const nodeAt = ([east, north]: [number, number]): number => {
    const key = `${east},${north}`;
    const blocked = barriers.find(([x, y]) => x === east && y === north);
    if (!ids.has(key))
      ids.set(key, {
        type: 'node',
        id: ids.size + 1,
        ...at(east, north),
        ...(blocked && { tags: blocked[2] }),
      });
    return ids.get(key)!.id;
  };
  const ways = lines.map(({ tags, corners }, i): OsmWay => ({
    type: 'way',
    id: i + 1,
    tags,
    refs: corners.map(nodeAt),
  }));
  const data: RoadData = { nodes: [...ids.values()], ways, restrictions: [], bounds: null };
  const roads = completeGraph(buildRoadGraph(data));
  const network = createRoadNetwork(roads);
  const walks = createWalkNetwork(buildWalkGraph(walkWaysOf(data), roads));
  const streets = (from: LonLat, limit: number) =>
    new Set(walks.reach(from, limit).map(({ streetName }) => streetName));
  return { network, walks, streets };
}

const street = (name: string, corners: [number, number][], tags: Tags = {}) => ({
  tags: { highway: 'residential', name, ...tags },
  corners,
});

/** Two banks of a river, joined by a road bridge two kilometers to the east; more lines may be added. */
const RIVER = [
  street('South Bank', [
    [0, 0],
    [400, 0],
    [2000, 0],
  ]),
  street('North Bank', [
    [0, 100],
    [400, 100],
    [2000, 100],
  ]),
  street('Road Bridge', [
    [2000, 0],
    [2000, 100],
  ]),
];
const link = (tags: Tags) => ({
  tags,
  corners: [
    [400, 0],
    [400, 100],
  ] as [number, number][],
});

describe('where people may walk', () => {
  test('over a footbridge, to the other bank of the river', () => {
    const { walks, streets } = town([...RIVER, link({ highway: 'footway', bridge: 'yes' })]);
    expect(streets(at(390, 0), 300)).toEqual(new Set(['South Bank', 'North Bank']));
    expect(walks.line(at(390, 0), at(300, 100))!.metres).toBe(210);
    const chosen = walks.meetingPoints(at(390, 0), 300, 4).map(({ streetName }) => streetName);
    expect(chosen).toContain('North Bank');
  });

  test('not where there is no bridge', () => {
    const { walks, streets } = town(RIVER);
    expect(streets(at(390, 0), 300)).toEqual(new Set(['South Bank']));
    expect(walks.line(at(390, 0), at(300, 100))!.metres).toBe(1610 + 100 + 1700);
  });

  test.each<[string, Tags]>([
    ['a motorway', { highway: 'motorway', oneway: 'no' }],
    ['a trunk road without a sidewalk', { highway: 'trunk' }],
    ['a private path', { highway: 'path', access: 'private' }],
  ])('not along %s', (_, tags) => {
    expect(town([...RIVER, link(tags)]).streets(at(390, 0), 300)).toEqual(new Set(['South Bank']));
  });

  test('not through a locked gate, which leaves both its sides to be walked', () => {
    const { walks, streets } = town(
      [
        ...RIVER,
        {
          tags: { highway: 'footway' },
          corners: [
            [400, 0],
            [400, 40],
            [400, 100],
          ],
        },
      ],
      [[400, 40, { barrier: 'gate', access: 'private' }]],
    );
    expect(streets(at(390, 0), 300)).toEqual(new Set(['South Bank']));
    expect(walks.line(at(390, 0), at(400, 30))!.metres).toBe(40);
    expect(walks.line(at(400, 45), at(400, 90))!.metres).toBe(45);
    expect(walks.line(at(400, 30), at(400, 45))!.metres).toBe(30 + 1600 + 100 + 1600 + 55);
  });

  test('a path that leads nowhere is no start: the nearest of the main network is', () => {
    const island = {
      tags: { highway: 'path' },
      corners: [
        [300, 50],
        [380, 50],
      ] as [number, number][],
    };
    const { walks } = town([...RIVER, island]);
    expect(walks.reach(at(340, 45), 100).map(({ streetName }) => streetName)).toContain('South Bank');
    expect(walks.line(at(340, 45), at(340, 0))!.metres).toBe(45);
  });

  test('nowhere from the middle of nowhere', () => {
    const { walks } = town(RIVER);
    expect(walks.reach(at(400, -700), 600)).toEqual([]);
    expect(walks.meetingPoints(at(400, -700), 600, 8)).toEqual([]);
    expect(walks.line(at(400, -20_000), at(400, 0))).toBeNull();
  });
});

describe('where cars stop', () => {
  test('thirty metres from junctions and every 150 metres between, counted by the walk', () => {
    const { walks } = town([...RIVER, link({ highway: 'residential', name: 'Short Street' })]);
    const reached = walks.reach(at(400, 0), 200);
    const on = (name: string) =>
      reached.filter(({ streetName }) => streetName === name).map(({ walkMetres }) => walkMetres);
    expect(on('Short Street')).toEqual([30, 70]);
    // 340 meters without a junction to the west, 1,540 to the east.
    expect(on('South Bank')).toEqual([30, 30, 144, 170]);
    expect(on('North Bank')).toEqual([130, 130]);
  });

  test('both streets of a one-way pair, each a place that only its own direction passes', () => {
    const { walks, network } = town([
      street('Eastbound', [[0, 0], [300, 0], [600, 0]], { highway: 'primary', oneway: 'yes' }),
      street('Westbound', [[600, 80], [300, 80], [0, 80]], { highway: 'primary', oneway: 'yes' }),
      street('East Side', [[600, 0], [600, 80]]),
      street('West Side', [[0, 0], [0, 80]]),
      street('Middle', [[300, 0], [300, 80]]),
    ]); // prettier-ignore
    const chosen = walks.meetingPoints(at(310, 40), 400, 4);
    const named = (name: string) => chosen.filter(({ streetName }) => streetName === name);
    expect(named('Eastbound').length).toBeGreaterThan(0);
    expect(named('Westbound').length).toBeGreaterThan(0);
    for (const point of [...named('Eastbound'), ...named('Westbound')])
      expect(network.snap(point)!.arrivals).toHaveLength(1);
  });

  test('main roads first, far from each other, at most as many as asked for', () => {
    const { walks } = town([
      street('Main Road', [[0, 0], [500, 0], [1000, 0]], { highway: 'primary' }),
      street('Lane', [[500, 0], [500, 500]]),
      street('Yard', [[500, 500], [1000, 500], [1000, 0]], { highway: 'service' }),
    ]); // prettier-ignore
    const chosen = (most: number) => walks.meetingPoints(at(500, 60), 500, most);
    expect(chosen(0)).toEqual([]);
    expect(chosen(2).map(({ streetName }) => streetName)).toEqual(['Main Road', 'Main Road']);
    expect(greatCircleMetres(chosen(2)[0]!, chosen(2)[1]!)).toBeGreaterThan(600);
    expect(chosen(4)).toHaveLength(4);
    expect(chosen(100).length).toBe(walks.reach(at(500, 60), 500).length);
  });
});

test('the line of a walk goes from door to door along the paths', () => {
  const { walks } = town([...RIVER, link({ highway: 'footway' })]);
  const { metres, line } = walks.line(at(380, -10), at(420, 105))!;
  expect(metres).toBe(10 + 20 + 100 + 20 + 5);
  const rounded = line.map(([lon, lat]) => [Math.round(lon / METRE), Math.round(lat / METRE)]);
  expect(rounded).toEqual([
    [380, -10],
    [380, 0],
    [400, 0],
    [400, 100],
    [420, 100],
    [420, 105],
  ]);
  expect(walks.line(at(380, 0), at(380, 0))).toMatchObject({ metres: 0 });
});
