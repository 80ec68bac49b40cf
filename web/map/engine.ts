import type { FeatureCollection } from 'geojson';
import * as maplibre from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { Protocol } from 'pmtiles';
import { ownStyle } from './style.ts';
import type { MapRoute } from './shapes.ts';

const hostedPatienceMs = 5000;
const routesSource = 'sameway-routes';

maplibre.setWorkerUrl(workerUrl);
maplibre.addProtocol('pmtiles', new Protocol().tile);

/** A drawing map in an element of its own, which moves from screen to screen: starting WebGL anew each time would flash. */
export interface Engine {
  map: maplibre.Map;
  element: HTMLElement;
  /** Resolves once the style stands and layers can be drawn. */
  ready: Promise<void>;
}

let spare: Engine | null = null;

/** The map of the last screen, or a new one. */
export function takeEngine(
  tilesUrl: string | null,
  view: { center: [number, number]; zoom: number },
): Engine {
  const engine = spare ?? createEngine(tilesUrl, view);
  spare = null;
  return engine;
}

/** Leaves the map for the next screen. */
export function leaveEngine(engine: Engine): void {
  engine.element.remove();
  if (spare && spare !== engine) engine.map.remove();
  else spare = engine;
}

function createEngine(tilesUrl: string | null, view: { center: [number, number]; zoom: number }): Engine {
  const element = document.createElement('div');
  element.style.cssText = 'position:absolute;inset:0';
  const map = new maplibre.Map({
    container: element,
    style: { version: 8, sources: {}, layers: [] },
    ...view,
    minZoom: 6,
    maxZoom: 18.5,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 150,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  const ready = chooseStyle(tilesUrl).then(
    (style) =>
      new Promise<void>((resolve) => {
        map.setStyle(style, { diff: false });
        map.once('style.load', () => {
          addRouteLayers(map);
          resolve();
        });
      }),
  );
  return { map, element, ready };
}

/** The hosted style if there is one and it can be reached, else our own over the region's tiles. */
async function chooseStyle(tilesUrl: string | null): Promise<maplibre.StyleSpecification> {
  if (tilesUrl !== null) {
    try {
      const answer = await fetch(tilesUrl, { signal: AbortSignal.timeout(hostedPatienceMs) });
      if (answer.ok) return (await answer.json()) as maplibre.StyleSpecification;
    } catch {
      // Not reachable: the region's own map always is.
    }
  }
  return ownStyle({ tilesUrl: `pmtiles://${location.origin}/region/map.pmtiles`, land: await readLand() });
}

async function readLand(): Promise<FeatureCollection | null> {
  try {
    const answer = await fetch('/region/land.geojson');
    if (!answer.ok) return null;
    const land = (await answer.json()) as FeatureCollection | FeatureCollection['features'][number];
    return land.type === 'Feature' ? { type: 'FeatureCollection', features: [land] } : land;
  } catch {
    return null;
  }
}

function addRouteLayers(map: maplibre.Map): void {
  map.addSource(routesSource, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const kinds: [MapRoute['kind'], string, string, number][] = [
    ['own', '#1f2430', '#ffffff', 4.5],
    ['shared', '#59bc6b', '#1e7a35', 5],
    ['detour', '#59bc6b', '#1e7a35', 5],
  ];
  for (const [kind, color, casing, width] of kinds) {
    const filter: maplibre.ExpressionSpecification = ['==', ['get', 'kind'], kind];
    map.addLayer({
      id: `sameway-${kind}-casing`,
      type: 'line',
      source: routesSource,
      filter,
      layout: round,
      paint: { 'line-color': casing, 'line-width': width + 3 },
    });
    map.addLayer({
      id: `sameway-${kind}`,
      type: 'line',
      source: routesSource,
      filter,
      layout: round,
      paint: { 'line-color': color, 'line-width': width },
    });
  }
  map.addLayer({
    id: 'sameway-walk',
    type: 'line',
    source: routesSource,
    filter: ['==', ['get', 'kind'], 'walk'],
    layout: round,
    paint: { 'line-color': '#1f2430', 'line-width': 4, 'line-dasharray': [0.1, 2] },
  });
}

/** Replaces the routes drawn. */
export function drawRoutes(map: maplibre.Map, routes: readonly MapRoute[]): void {
  const source = map.getSource<maplibre.GeoJSONSource>(routesSource);
  void source?.setData({
    type: 'FeatureCollection',
    features: routes.map(({ line, kind }) => ({
      type: 'Feature',
      properties: { kind },
      geometry: { type: 'LineString', coordinates: line.map(([lon, lat]) => [lon, lat]) },
    })),
  });
}
