import * as maplibre from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { Protocol } from 'pmtiles';
import type { Config } from '../core/config.ts';
import type { Language } from '../core/preferred-language.ts';
import { trustedScript } from '../core/trusted.ts';
import { readRegionMaps } from './regions.ts';
import { layWorld } from './world.ts';
import { paint } from './flavor.ts';
import { addMapImages } from './map-images.ts';
import { ownStyle } from './style.ts';
import type { MapRoute } from './shapes.ts';

const hostedPatienceMs = 5000;
/** The limits of a single region's map keep it closer; several regions should fit at once. */
const leastZoom = 1;
const routesSource = 'sameway-routes';

// MapLibre checks the extension and passes the address to `new Worker` unchanged.
maplibre.setWorkerUrl(workerAddress());
maplibre.addProtocol('pmtiles', new Protocol().tile);

/**
 * A drawing map in an element of its own, which moves from screen to screen: starting WebGL again each time
 * would flash.
 */
export interface Engine {
  /** What it draws on; a map of something else is not taken to the next screen. */
  sources: string;
  map: maplibre.Map;
  element: HTMLElement;
  /** Resolves once the style is loaded and layers can be drawn. */
  ready: Promise<void>;
}

/** What lies under everything: a hosted map style, else the region's packs. */
export interface MapSources {
  tilesUrl: string | null;
  packs: Config['region']['packs'];
  /** Of the names on the map. */
  language: Language;
}

/** The worker's address as a trusted type, with the two string methods that MapLibre calls. */
function workerAddress(): string {
  const address: unknown = trustedScript(workerUrl);
  if (typeof address === 'string') return address;
  return Object.assign(Object(address), {
    endsWith: (end: string) => workerUrl.endsWith(end),
    split: (at: string | RegExp) => workerUrl.split(at),
  }) as string;
}

let spare: Engine | null = null;

/** The map of the last screen, or a new one. */
export function takeEngine(sources: MapSources, view: { center: [number, number]; zoom: number }): Engine {
  const kept = spare;
  spare = null;
  if (kept?.sources === JSON.stringify(sources)) return kept;
  kept?.map.remove();
  return createEngine(sources, view);
}

/** Leaves the map for the next screen. */
export function leaveEngine(engine: Engine): void {
  engine.element.remove();
  if (spare && spare !== engine) engine.map.remove();
  else spare = engine;
}

function createEngine(sources: MapSources, view: { center: [number, number]; zoom: number }): Engine {
  const element = document.createElement('div');
  element.style.cssText = 'position:absolute;inset:0';
  const map = new maplibre.Map({
    container: element,
    style: { version: 8, sources: {}, layers: [] },
    ...view,
    minZoom: leastZoom,
    maxZoom: 18.5,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 150,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  const ready = chooseStyle(sources).then(
    (style) =>
      new Promise<void>((resolve) => {
        map.setStyle(style, { diff: false });
        map.once('style.load', () => {
          addMapImages(map);
          addRouteLayers(map);
          if (map.getLayer('ground-land'))
            layWorld(
              map,
              sources.packs.map(({ mapBounds }) => mapBounds),
              paint.sea,
            );
          resolve();
        });
      }),
  );
  return { sources: JSON.stringify(sources), map, element, ready };
}

/** The map checks each layer itself. */
function isStyle(read: unknown): read is maplibre.StyleSpecification {
  const { version, layers } = Object(read) as { version?: unknown; layers?: unknown };
  return version === 8 && Array.isArray(layers);
}

/** The hosted style if there is one and it can be reached, else our own over the packs' tiles. */
async function chooseStyle({ tilesUrl, packs, language }: MapSources): Promise<maplibre.StyleSpecification> {
  if (tilesUrl !== null) {
    try {
      const answer = await fetch(tilesUrl, { signal: AbortSignal.timeout(hostedPatienceMs) });
      const style: unknown = answer.ok ? await answer.json() : null;
      if (isStyle(style)) return style;
    } catch {
      // Not reachable: the region's own map always is.
    }
  }
  return ownStyle(await readRegionMaps(packs), language);
}

function addRouteLayers(map: maplibre.Map): void {
  map.addSource(routesSource, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const kinds: [MapRoute['kind'], string, string, number][] = [
    ['own', '#1f2430', '#ffffff', 4.5],
    ['shared', '#59bc6b', '#1e7a35', 5],
    ['detour', '#59bc6b', '#1e7a35', 5],
  ];
  // Names stay readable on a route: it lies below them.
  const below = map.getStyle().layers.find(({ type }) => type === 'symbol')?.id;
  for (const [kind, color, casing, width] of kinds) {
    const filter: maplibre.ExpressionSpecification = ['==', ['get', 'kind'], kind];
    map.addLayer(
      {
        id: `sameway-${kind}-casing`,
        type: 'line',
        source: routesSource,
        filter,
        layout: round,
        paint: { 'line-color': casing, 'line-width': width + 3 },
      },
      below,
    );
    map.addLayer(
      {
        id: `sameway-${kind}`,
        type: 'line',
        source: routesSource,
        filter,
        layout: round,
        paint: { 'line-color': color, 'line-width': width },
      },
      below,
    );
  }
  map.addLayer(
    {
      id: 'sameway-walk',
      type: 'line',
      source: routesSource,
      filter: ['==', ['get', 'kind'], 'walk'],
      layout: round,
      paint: { 'line-color': '#1f2430', 'line-width': 4, 'line-dasharray': [0.1, 2] },
    },
    below,
  );
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
