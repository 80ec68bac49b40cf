import type { Feature, FeatureCollection, Position } from 'geojson';
import type * as maplibre from 'maplibre-gl';
import * as shape from '../core/shape.ts';
import type { Bounds } from './shapes.ts';
import worldUrl from './world.json?url';

/** Of lists of numbers only that they are lists: there are some hundred thousand, written by the build. */
const steps = shape.valueOf((raw): raw is number[] => Array.isArray(raw));
const polygon = shape.valueOf((raw): raw is number[][] => Array.isArray(raw));
const city = shape.valueOf(
  (raw): raw is [name: string, lon: number, lat: number] => Array.isArray(raw) && raw.length === 3,
);

/**
 * The world in a coarse hand, as `scripts/world.ts` packs it: lines are whole steps, the first a point, the
 * rest differences.
 */
export const packedWorld = shape.fields({
  stepDegrees: shape.figure,
  /** Polygons of rings. */
  land: shape.list(polygon),
  /** Where two countries meet. */
  borders: shape.list(steps),
  /** Name, longitude, latitude. */
  cities: shape.list(city),
});
export type PackedWorld = shape.Shaped<typeof packedWorld>;

export interface World {
  land: FeatureCollection;
  borders: FeatureCollection;
  cities: FeatureCollection;
}

/** The layers' sources, empty until a view leaves the packs. */
export const worldSources = ['ground-land', 'ground-borders', 'ground-cities'] as const;

/** What lies under the packs, as the map draws it; cities within a pack are left to the pack. */
export function unpack({ stepDegrees, land, borders, cities }: PackedWorld, packs: readonly Bounds[]): World {
  const lineOf = (steps: readonly number[]): Position[] => {
    let [x, y] = [0, 0];
    return Array.from({ length: steps.length / 2 }, (_, at) => {
      x += steps[2 * at] ?? 0;
      y += steps[2 * at + 1] ?? 0;
      return [x * stepDegrees, y * stepDegrees];
    });
  };
  const collection = (features: Feature[]): FeatureCollection => ({ type: 'FeatureCollection', features });
  const feature = (geometry: Feature['geometry'], properties: Feature['properties'] = {}): Feature => ({
    type: 'Feature',
    properties,
    geometry,
  });
  return {
    land: collection(land.map((polygon) => feature({ type: 'Polygon', coordinates: polygon.map(lineOf) }))),
    borders: collection([feature({ type: 'MultiLineString', coordinates: borders.map(lineOf) })]),
    cities: collection(
      cities
        .filter(([, lon, lat]) => !packs.some((pack) => isWithin([lon, lat, lon, lat], pack)))
        .map(([name, lon, lat]) => feature({ type: 'Point', coordinates: [lon, lat] }, { name })),
    ),
  };
}

/** Whether a box lies in another. */
export const isWithin = ([west, south, east, north]: Bounds, around: Bounds): boolean =>
  west >= around[0] && south >= around[1] && east <= around[2] && north <= around[3];

let reading: Promise<PackedWorld> | null = null;
async function readWorld(): Promise<PackedWorld> {
  const answer = await fetch(worldUrl);
  if (!answer.ok) throw new Error(`The coarse world of the map did not come: ${answer.status}`);
  const { data } = packedWorld.safeParse(await answer.json());
  if (data === undefined) throw new Error('The coarse world of the map is of another version.');
  return data;
}

/**
 * Lays the coarse world under the packs once the view leaves them, and the sea under that. Where it cannot be
 * read the map stays as it is, and the next move asks again.
 */
export function layWorld(map: maplibre.Map, packs: readonly Bounds[], seaColor: string): void {
  const look = () => {
    const view = map.getBounds();
    const box: Bounds = [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
    if (packs.some((pack) => isWithin(box, pack))) return;
    map.off('moveend', look);
    reading ??= readWorld();
    reading.then(
      (packed) => {
        const { land, borders, cities } = unpack(packed, packs);
        for (const [index, data] of [land, borders, cities].entries())
          void map.getSource<maplibre.GeoJSONSource>(worldSources[index]!)?.setData(data);
        // Before the land is there, the sea would flood the pack's surroundings.
        const paintSea = () => {
          if (!map.isSourceLoaded(worldSources[0])) return;
          map.off('sourcedata', paintSea);
          map.setPaintProperty('beyond', 'background-color', seaColor);
        };
        map.on('sourcedata', paintSea);
      },
      () => {
        reading = null;
        map.on('moveend', look);
      },
    );
  };
  map.on('moveend', look);
  look();
}
