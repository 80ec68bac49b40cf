import { expect, test } from 'vitest';
import { gridTown } from '../testing/grid-town.ts';
import { buildRoadGraph } from './build.ts';
import type { RoadData } from './extract.ts';

const town = (): RoadData => gridTown({ southWest: { lon: 9.5, lat: 47.1 }, firstId: 1 });

/** As an extract in the rectangle of a wide country whose own border cuts it: no road ends near an edge. */
const cutByItsBorder = (data: RoadData): RoadData => ({ ...data, bounds: [9, 46.8, 10, 47.4] });

test('main roads that end where the extract ends are gateways, whatever its outline is', () => {
  const { exitEdges, entryEdges } = buildRoadGraph(cutByItsBorder(town()));
  expect([exitEdges.length, entryEdges.length]).toEqual([4, 4]);
});

test('a way that the border cuts in the middle leads out at its last known point', () => {
  const data = town();
  const gone = new Set(data.nodes.filter(({ lon }) => lon < 9.5).map(({ id }) => id));
  const nodes = data.nodes.filter(({ id }) => !gone.has(id));
  const { exitEdges } = buildRoadGraph(cutByItsBorder({ ...data, nodes }));
  expect(exitEdges).toHaveLength(4);
});

test('a main road that ends before other roads is no gateway, nor is a side street at the edge', () => {
  const data = town();
  const middle = data.ways.find(({ id }) => id === 1 + 2 * 2)!;
  const inTown = { ...middle, refs: middle.refs.slice(0, 3) };
  const ways = data.ways.map((way) => (way === middle ? inTown : way));
  expect(buildRoadGraph(cutByItsBorder({ ...data, ways })).exitEdges).toHaveLength(3);
  const lanes = ways.map((way) => ({ ...way, tags: { ...way.tags, highway: 'residential' } }));
  expect(buildRoadGraph(cutByItsBorder({ ...data, ways: lanes })).exitEdges).toHaveLength(0);
});
