import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { insidePolygon, type Bounds } from '../../../roads/graph/geometry.ts';
import { surfacesOf, type Polygon, type Surfaces } from './areas.ts';
import { clippedCoast, joinedRuns, type Point, type Run } from './lines.ts';

const BOUNDS: Bounds = [0, 0, 10, 10];

/** Land and sea of coasts drawn in a square of ten by ten; null where they are broken. */
function partedBy(...coasts: Point[][]): Surfaces | null {
  const ids = new Map<string, number>();
  const runs = coasts.map((points): Run => ({ points, ids: points.map((point) => idOf(ids, point)) }));
  const joined = joinedRuns(runs);
  const clipped = joined && clippedCoast(joined, BOUNDS);
  return clipped && surfacesOf(clipped, BOUNDS);
}

function idOf(ids: Map<string, number>, point: Point): number {
  const key = point.join(' ');
  if (!ids.has(key)) ids.set(key, ids.size + 1);
  return ids.get(key)!;
}

function areaOf(polygons: readonly Polygon[]): number {
  let twice = 0;
  for (const ring of polygons.flat())
    for (let i = 1; i < ring.length; i++)
      twice += ring[i - 1]![0] * ring[i]![1] - ring[i]![0] * ring[i - 1]![1];
  return twice / 2;
}

/** As fine as OpenStreetMap keeps them. */
const degrees = (min: number, max: number) =>
  fc.integer({ min: min * 1e7, max: max * 1e7 }).map((units) => units / 1e7);

const holds = (polygons: readonly Polygon[], [lon, lat]: Point) =>
  polygons.some((polygon) => insidePolygon({ lon, lat }, polygon));

/** A square island, anticlockwise: land inside. */
const square = ([x, y]: Point, side: number): Point[] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
];

/** Coasts, how much of the square is land by them, and a point on either side. */
const coastsOfLand: readonly [string, Point[][], land: number, { onLand: Point; atSea: Point }][] = [
  [
    'a coast from north to south',
    [
      [
        [4, 12],
        [4, -2],
      ],
    ],
    60,
    { onLand: [7, 5], atSea: [2, 5] },
  ],
  [
    'the same the other way',
    [
      [
        [4, -2],
        [4, 12],
      ],
    ],
    40,
    { onLand: [2, 5], atSea: [7, 5] },
  ],
  [
    'in two ways that meet',
    [
      [
        [4, 5],
        [4, -2],
      ],
      [
        [4, 12],
        [4, 5],
      ],
    ],
    60,
    { onLand: [7, 5], atSea: [2, 5] },
  ],
  [
    'round a corner',
    [
      [
        [-1, 5],
        [5, 5],
        [5, 11],
      ],
    ],
    25,
    { onLand: [2, 8], atSea: [8, 2] },
  ],
  [
    'round three corners',
    [
      [
        [5, 11],
        [5, 5],
        [-1, 5],
      ],
    ],
    75,
    { onLand: [8, 2], atSea: [2, 8] },
  ],
  [
    'a strait',
    [
      [
        [3, -2],
        [3, 12],
      ],
      [
        [6, 12],
        [6, -2],
      ],
    ],
    70,
    { onLand: [1, 5], atSea: [4, 5] },
  ],
  ['an island', [square([3, 3], 2)], 4, { onLand: [4, 4], atSea: [1, 1] }],
  ['two islands', [square([1, 1], 2), square([6, 6], 3)], 13, { onLand: [7, 7], atSea: [5, 5] }],
  ['an inland sea', [square([3, 3], 2).toReversed()], 96, { onLand: [1, 1], atSea: [4, 4] }],
  [
    'an island in an inland sea',
    [square([2, 2], 6).toReversed(), square([4, 4], 2)],
    68,
    { onLand: [5, 5], atSea: [3, 3] },
  ],
  [
    'an island off a coast',
    [
      [
        [6, 12],
        [6, -2],
      ],
      square([2, 2], 2),
    ],
    44,
    { onLand: [3, 3], atSea: [1, 1] },
  ],
  [
    'an inland sea behind a coast',
    [
      [
        [4, 12],
        [4, -2],
      ],
      square([6, 2], 2).toReversed(),
    ],
    56,
    { onLand: [5, 3], atSea: [7, 3] },
  ],
  ['an island over the border', [square([8, 3], 4)], 8, { onLand: [9, 5], atSea: [5, 5] }],
  ['an island over a corner', [square([8, 8], 4)], 4, { onLand: [9, 9], atSea: [5, 5] }],
  [
    'an island over two borders',
    [square([4, -3], 16).map(([x, y]): Point => [x / 2, y])],
    80,
    { onLand: [5, 5], atSea: [1, 5] },
  ],
  [
    'a coast that leaves and comes again',
    [
      [
        [12, 2],
        [8, 2],
        [8, 4],
        [12, 4],
        [12, 6],
        [8, 6],
        [8, 8],
        [12, 8],
      ],
    ],
    92,
    { onLand: [9, 5], atSea: [9, 3] },
  ],
  [
    'a coast cut off near the border',
    [
      [
        [4, 9.8],
        [4, 5],
        [4, 0.2],
      ],
    ],
    60,
    { onLand: [7, 5], atSea: [2, 5] },
  ],
];

describe('land lies to the left of a coast', () => {
  test.each(coastsOfLand)('%s', (_, coasts, land, { onLand, atSea }) => {
    const parted = partedBy(...coasts);
    expect(parted).not.toBeNull();
    expect(areaOf(parted!.land)).toBeCloseTo(land);
    expect(areaOf(parted!.sea)).toBeCloseTo(100 - land);
    expect([holds(parted!.land, onLand), holds(parted!.sea, onLand)]).toEqual([true, false]);
    expect([holds(parted!.land, atSea), holds(parted!.sea, atSea)]).toEqual([false, true]);
  });

  test('every point of any coast of bays and capes is either on land or at sea', () => {
    const across = fc.array(degrees(-3, 13), { minLength: 2, maxLength: 12 });
    const spot = degrees(0.01, 9.99);
    fc.assert(
      fc.property(across, spot, spot, fc.boolean(), (xs, x, y, isTurned) => {
        const coast = xs.map((at, i): Point => [at, 12 - (14 * i) / (xs.length - 1)]);
        const parted = partedBy(isTurned ? coast.toReversed() : coast);
        // A coast that never comes in tells nothing.
        if (!parted || parted.land.length + parted.sea.length === 0) return;
        expect(areaOf(parted.land) + areaOf(parted.sea)).toBeCloseTo(100);
        expect(holds(parted.land, [x, y])).toBe(!holds(parted.sea, [x, y]));
        const i = Math.min(xs.length - 2, Math.floor(((12 - y) * (xs.length - 1)) / 14));
        const [from, to] = [coast[i]!, coast[i + 1]!];
        const coastX = from[0] + ((to[0] - from[0]) * (from[1] - y)) / (from[1] - to[1]);
        if (Math.abs(coastX - x) > 1e-6) expect(holds(parted.land, [x, y])).toBe(x > coastX !== isTurned);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a broken coast is left out', () => {
  test.each<[string, Point[][]]>([
    [
      'that ends in the midst',
      [
        [
          [4, 12],
          [4, 5],
        ],
      ],
    ],
    [
      'with a gap',
      [
        [
          [4, 12],
          [4, 7],
        ],
        [
          [4, 5],
          [4, -2],
        ],
      ],
    ],
    [
      'with land on both sides of a strip',
      [
        [
          [4, 12],
          [4, -2],
        ],
        [
          [6, 12],
          [6, -2],
        ],
      ],
    ],
    [
      'of which two go on from one place',
      [
        [
          [4, 12],
          [4, 5],
        ],
        [
          [4, 5],
          [4, -2],
        ],
        [
          [4, 5],
          [12, 5],
        ],
      ],
    ],
    ['that is an island and an inland sea side by side', [square([1, 1], 2), square([6, 6], 2).toReversed()]],
  ])('%s', (_, coasts) => {
    expect(partedBy(...coasts)).toBeNull();
  });
});
