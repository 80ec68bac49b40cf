import { describe, expect, test } from 'vitest';
import { buildRoadGraph } from './build.ts';
import type { RoadData } from './extract.ts';
import { createRoadNetwork } from '../graph/graph-network.ts';
import { completeGraph } from '../graph/graph.ts';
import type { OsmRelation, Tags } from './osm.ts';

/**
 * A town of nine junctions in a grid with 200 m blocks, named after their column (a, b, c from west to east)
 * and row (1, 2, 3 from south to north). Streets run along rows ("1st", "2nd", "3rd Street") and columns
 * ("A", "B", "C Avenue").
 */
const COLUMNS = ['a', 'b', 'c'];
const RESIDENTIAL_KMH = 33;
const BLOCK_DEGREES = 200 / 111_195;
const corner = (name: string) => COLUMNS.indexOf(name[0]!) * 10 + Number(name[1]);
const at = (column: number, row: number) => ({ lon: column * BLOCK_DEGREES, lat: row * BLOCK_DEGREES });

interface Town {
  /** Tags added to the piece of street between two corners, such as `b2-c2`. */
  ways?: Record<string, Record<string, string | undefined>>;
  nodes?: Record<string, Tags>;
  restrictions?: [kind: string, from: string, via: string, to: string][];
  drivesOnLeft?: boolean;
}

/** Every block is a way of its own, so that restrictions can name it; ids follow the order of `blocks`. */
function town({ ways = {}, nodes = {}, restrictions = [], drivesOnLeft = false }: Town) {
  const blocks: [string, string, string][] = [];
  for (const row of [1, 2, 3]) {
    blocks.push([`a${row}`, `b${row}`, `Street ${row}`], [`b${row}`, `c${row}`, `Street ${row}`]);
  }
  for (const column of COLUMNS) {
    const name = `${column.toUpperCase()} Avenue`;
    blocks.push([`${column}1`, `${column}2`, name], [`${column}2`, `${column}3`, name]);
  }
  const wayId = (key: string) => blocks.findIndex(([from, to]) => `${from}-${to}` === key) + 1;
  const data: RoadData = {
    bounds: null,
    nodes: COLUMNS.flatMap((letter, column) =>
      [1, 2, 3].map((row) => ({
        type: 'node' as const,
        id: corner(`${letter}${row}`),
        ...at(column, row - 1),
        tags: nodes[`${letter}${row}`],
      })),
    ),
    ways: blocks.map(([from, to, name], i) => ({
      type: 'way' as const,
      id: i + 1,
      refs: [corner(from), corner(to)],
      tags: { highway: 'residential', name, ...ways[`${from}-${to}`] } as Tags,
    })),
    restrictions: restrictions.map(([kind, from, via, to], id): OsmRelation => ({
      type: 'relation',
      id,
      tags: { type: 'restriction', restriction: kind },
      members: [
        { type: 'way', ref: wayId(from), role: 'from' },
        via.includes('-')
          ? { type: 'way', ref: wayId(via), role: 'via' }
          : { type: 'node', ref: corner(via), role: 'via' },
        { type: 'way', ref: wayId(to), role: 'to' },
      ],
    })),
  };
  const network = createRoadNetwork(completeGraph(buildRoadGraph(data, { drivesOnLeft })));
  /** A drive between the middles of two blocks: its streets and meters. */
  const drive = (from: string, to: string) => {
    const middle = (key: string) => {
      const [a, b] = key.split('-').map((name) => at(COLUMNS.indexOf(name[0]!), Number(name[1]) - 1)) as [
        { lon: number; lat: number },
        { lon: number; lat: number },
      ];
      return network.snap({ lon: (a.lon + b.lon) / 2, lat: (a.lat + b.lat) / 2 })!;
    };
    return network.route(middle(from), middle(to))!;
  };
  return { network, drive };
}

const names = (route: { streets: { name: string }[] }) => route.streets.map(({ name }) => name);

describe('a plain grid', () => {
  test('the straight way is taken and measured', () => {
    const { drive } = town({});
    const route = drive('a1-b1', 'b1-c1');
    expect(route.metres).toBe(200);
    expect(route.streets).toEqual([{ name: 'Street 1', metres: 200 }]);
    expect(Math.abs(route.milliseconds - (200 / RESIDENTIAL_KMH) * 3600)).toBeLessThan(20);
    expect(route.line).toHaveLength(3);
  });

  test('a left turn costs more than a right turn, both more than none', () => {
    const { drive } = town({});
    const straight = drive('a2-b2', 'b2-c2').milliseconds;
    const right = drive('a2-b2', 'b1-b2').milliseconds;
    const left = drive('a2-b2', 'b2-b3').milliseconds;
    expect(right).toBeGreaterThan(straight);
    expect(left).toBeGreaterThan(right);
  });

  test('where traffic keeps left, the right turn is the dear one', () => {
    const { drive } = town({ drivesOnLeft: true });
    expect(drive('a2-b2', 'b1-b2').milliseconds).toBe(town({}).drive('a2-b2', 'b2-b3').milliseconds);
    expect(drive('a2-b2', 'b2-b3').milliseconds).toBeLessThan(drive('a2-b2', 'b1-b2').milliseconds);
  });

  test('the same block: forth and back without a turn, nothing for the same point', () => {
    const { network } = town({});
    const west = network.snap(at(0.2, 0))!;
    const east = network.snap(at(0.8, 0))!;
    expect(network.travel(west, east)!.metres).toBe(120);
    expect(network.travel(east, west)).toEqual(network.travel(west, east));
    expect(network.travel(west, west)).toEqual({ milliseconds: 0, metres: 0, estimated: false });
  });
});

describe('turn restrictions', () => {
  test('no_left_turn leads around', () => {
    const open = town({}).drive('a2-b2', 'b2-b3');
    expect(names(open)).toEqual(['Street 2', 'B Avenue']);
    const { drive } = town({ restrictions: [['no_left_turn', 'a2-b2', 'b2', 'b2-b3']] });
    expect(names(drive('a2-b2', 'b2-b3'))).toEqual(['Street 2', 'A Avenue', 'Street 3', 'B Avenue']);
    expect(drive('a2-b2', 'b1-b2').metres).toBe(200);
    expect(drive('b2-b3', 'a2-b2').metres).toBe(200);
  });

  test('only_straight_on forbids every turn', () => {
    const { drive } = town({ restrictions: [['only_straight_on', 'a2-b2', 'b2', 'b2-c2']] });
    expect(drive('a2-b2', 'b2-c2').metres).toBe(200);
    expect(drive('a2-b2', 'b2-b3').metres).toBeGreaterThan(200);
    expect(drive('a2-b2', 'b1-b2').metres).toBeGreaterThan(200);
  });

  test('a command to take a road that no car may use is ignored', () => {
    const { drive } = town({
      ways: { 'b2-c2': { access: 'private' } },
      restrictions: [['only_straight_on', 'a2-b2', 'b2', 'b2-c2']],
    });
    expect(drive('a2-b2', 'b2-b3').metres).toBe(200);
  });
});

describe('turn restrictions over a way', () => {
  test('no_left_turn binds those who came from the road it names, nobody else', () => {
    const { drive } = town({ restrictions: [['no_left_turn', 'a1-b1', 'b1-b2', 'a2-b2']] });
    expect(town({}).drive('a1-b1', 'a2-b2').metres).toBe(400);
    const around = names(drive('a1-b1', 'a2-b2'));
    expect(around).not.toEqual(['Street 1', 'B Avenue', 'Street 2']);
    expect(names(drive('b1-c1', 'a2-b2'))).toEqual(['Street 1', 'B Avenue', 'Street 2']);
    expect(names(drive('a1-b1', 'b2-c2'))).toEqual(['Street 1', 'B Avenue', 'Street 2']);
    expect(names(drive('b1-b2', 'a2-b2'))).toEqual(['B Avenue', 'Street 2']);
  });

  test('on the way between, people are reached and set off as ever', () => {
    const restrictions: Town['restrictions'] = [['no_left_turn', 'a1-b1', 'b1-b2', 'a2-b2']];
    expect(town({ restrictions }).drive('a1-b1', 'b1-b2')).toEqual(town({}).drive('a1-b1', 'b1-b2'));
    expect(town({ restrictions }).drive('b1-b2', 'b2-b3')).toEqual(town({}).drive('b1-b2', 'b2-b3'));
  });

  test('only_straight_on over a way leaves one turn', () => {
    const { drive } = town({ restrictions: [['only_straight_on', 'a1-b1', 'b1-b2', 'b2-b3']] });
    expect(names(drive('a1-b1', 'b2-b3'))).toEqual(['Street 1', 'B Avenue']);
    expect(names(drive('a1-b1', 'b2-c2'))).not.toEqual(['Street 1', 'B Avenue', 'Street 2']);
    expect(names(drive('b1-c1', 'a2-b2'))).toEqual(['Street 1', 'B Avenue', 'Street 2']);
  });
});

describe('ferries', () => {
  // The detour by land is closed, so that only the ferry leads from the west to the east.
  const strait = (tags: Tags) =>
    town({
      ways: {
        'b2-c2': { highway: undefined, route: 'ferry', ...tags },
        'b1-c1': { access: 'no' },
        'b3-c3': { access: 'no' },
      },
    });

  test('one that takes cars is driven at its own pace', () => {
    const slow = strait({ motor_vehicle: 'yes', duration: '0:20' }).drive('a2-b2', 'c1-c2');
    expect(slow.metres).toBe(400);
    expect(slow.milliseconds).toBeGreaterThan(20 * 60_000);
    expect(slow.milliseconds).toBeLessThan(21 * 60_000);
    const unstated = strait({ motorcar: 'yes' }).drive('a2-b2', 'c1-c2');
    // 200 m at 20 km/h are 36 s; the two half blocks on land are another 22 s.
    expect(unstated.milliseconds).toBeGreaterThan(55_000);
    expect(unstated.milliseconds).toBeLessThan(80_000);
  });

  test('one for people on foot is no road, and nobody is picked up on any', () => {
    expect(strait({}).network.edgeCount).toBeLessThan(strait({ motorcar: 'yes' }).network.edgeCount);
    const { network } = strait({ motorcar: 'yes' });
    expect(network.snap(at(1.5, 1))!.metresFromRoad).toBeGreaterThan(90);
  });
});

describe('one-way streets', () => {
  test.each([
    ['yes', 200, 1000],
    ['-1', 1000, 200],
  ])('oneway=%s', (oneway, eastwards, westwards) => {
    const { drive } = town({ ways: { 'b1-c1': { oneway }, 'a1-b1': { oneway } } });
    expect(drive('a1-b1', 'b1-c1').metres).toBe(eastwards);
    expect(drive('b1-c1', 'a1-b1').metres).toBe(westwards);
  });

  test('backwards on the same block means around the block', () => {
    const { network } = town({ ways: { 'a1-b1': { oneway: 'yes' } } });
    const west = network.snap(at(0.2, 0))!;
    const east = network.snap(at(0.8, 0))!;
    expect(network.travel(west, east)!.metres).toBe(120);
    expect(network.travel(east, west)!.metres).toBe(800 - 120);
    expect(network.travelFrom(east)(west)).toEqual(network.travel(east, west));
    expect(network.travelTo(west)(east)).toEqual(network.travel(east, west));
  });
});

test('a barrier at a junction stops cars, a gate does not', () => {
  const blocked = town({ nodes: { b1: { barrier: 'bollard' } } });
  expect(blocked.drive('a1-b1', 'b1-c1').metres).toBeGreaterThan(600);
  const gated = town({ nodes: { b1: { barrier: 'gate' } } });
  expect(gated.drive('a1-b1', 'b1-c1').metres).toBe(200);
});

describe('where the map has no signals', () => {
  const main = {
    'a2-b2': { highway: 'primary' },
    'b2-c2': { highway: 'primary' },
    'b1-b2': { highway: 'secondary' },
    'b2-b3': { highway: 'secondary' },
  };
  const acrossMs = (nodes?: Record<string, Tags>) =>
    town({ ways: main, nodes }).drive('a2-b2', 'b2-c2').milliseconds;

  test('two main roads that cross cost what a signal costs on average', () => {
    const alone = town({ ways: { 'a2-b2': main['a2-b2'], 'b2-c2': main['b2-c2'] } });
    expect(acrossMs() - acrossMs({ a1: { highway: 'traffic_signals' } })).toBe(8_000);
    // A residential street across has a signal in one of ten places.
    expect(
      alone.drive('a2-b2', 'b2-c2').milliseconds - acrossMs({ a1: { highway: 'traffic_signals' } }),
    ).toBe(800);
  });

  test('one mapped signal is trusted: nothing is added elsewhere, nothing twice', () => {
    expect(acrossMs({ b2: { highway: 'traffic_signals' } })).toBe(acrossMs());
    expect(acrossMs({ a1: { highway: 'traffic_signals' } })).toBeLessThan(acrossMs());
  });

  test('residential streets that cross cost nothing', () => {
    const signal = { a3: { highway: 'traffic_signals' } };
    expect(town({}).drive('a2-b2', 'b2-c2')).toEqual(town({ nodes: signal }).drive('a2-b2', 'b2-c2'));
  });
});

test('signals cost time', () => {
  const plain = town({}).drive('a1-b1', 'b1-c1');
  const signals = town({ nodes: { b1: { highway: 'traffic_signals' } } }).drive('a1-b1', 'b1-c1');
  expect(signals.milliseconds).toBeGreaterThan(plain.milliseconds);
  expect(signals.metres).toBe(plain.metres);
});

test('a posted limit in mph changes the time', () => {
  const fast = town({ ways: { 'b1-c1': { maxspeed: '50 mph' } } });
  expect(fast.drive('a1-b1', 'b1-c1').milliseconds).toBeLessThan((200 / RESIDENTIAL_KMH) * 3600);
});

test('nobody is snapped to a motorway or to an island of roads', () => {
  const motorway = town({ ways: { 'a3-b3': { highway: 'motorway', oneway: 'no' } } });
  expect(motorway.network.snap(at(0.5, 2))!.streetName).not.toBe('Street 3');
  const cut = Object.fromEntries(['a2-a3', 'b2-b3', 'c2-c3'].map((key) => [key, { access: 'no' }]));
  const island = town({ ways: { ...cut, 'b3-c3': { access: 'no' } } });
  expect(island.network.snap(at(0.5, 2))!.streetName).not.toBe('Street 3');
});

test('data without a road is refused', () => {
  expect(() => buildRoadGraph({ nodes: [], ways: [], restrictions: [], bounds: null })).toThrow(/no road/);
});
