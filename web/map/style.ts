import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { basemapLayers, nameIn } from './basemap-layers.ts';
import { mapFonts, paint } from './flavor.ts';
import { surfaces, titlePoints, type RegionMap } from './regions.ts';
import { softEdge } from './soft-edge.ts';
import { worldSources } from './world.ts';

const sourceOf = (pack: number): string => `tiles-${pack}`;
const nothing = { type: 'FeatureCollection' as const, features: [] };
const townLook = {
  'text-color': paint.placeLabel,
  'text-halo-color': paint.halo,
  'text-halo-width': 1.8,
} as const;

/** From far away several regions are specks: their titles say where they are. */
const regionTitles: LayerSpecification = {
  id: 'region-title',
  type: 'symbol',
  source: 'regions',
  maxzoom: 8,
  layout: {
    'text-field': ['get', 'name'],
    'text-font': [mapFonts.bold],
    'text-size': 14,
    'text-max-width': 9,
    'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'],
  },
  paint: townLook,
};

/** The large cities of the coarse world. */
const cityNames = (language: string): LayerSpecification => ({
  id: 'city-name',
  type: 'symbol',
  source: 'ground-cities',
  maxzoom: 12,
  layout: {
    'text-field': nameIn(language),
    'text-font': [mapFonts.bold],
    'text-size': 13,
    'text-max-width': 8,
  },
  paint: townLook,
});

/** Towns of a land file, for packs whose tiles have none. */
const landTowns: LayerSpecification = {
  id: 'town-name',
  type: 'symbol',
  source: 'land',
  filter: ['==', ['geometry-type'], 'Point'],
  maxzoom: 15,
  layout: {
    'text-field': ['get', 'name'],
    'text-font': [mapFonts.bold],
    'text-size': 15,
    'text-max-width': 8,
  },
  paint: townLook,
};

type Surfaces = ReturnType<typeof surfaces>;

/** What lies below the packs: the coarse world, and sea and land where the coast is known. */
const worldLayers = (coast: Surfaces): LayerSpecification[] => [
  {
    id: 'beyond',
    type: 'background',
    paint: { 'background-color': coast === null ? paint.land : paint.beyond },
  },
  { id: 'ground-land', type: 'fill', source: 'ground-land', paint: { 'fill-color': paint.land } },
  {
    id: 'ground-border',
    type: 'line',
    source: 'ground-borders',
    paint: { 'line-color': paint.border, 'line-width': 1, 'line-dasharray': [4, 3] },
  },
  ...(coast === null
    ? []
    : [
        {
          id: 'sea',
          type: 'fill' as const,
          source: 'sea',
          paint: { 'fill-color': paint.sea, 'fill-antialias': false },
        },
        { id: 'land', type: 'fill' as const, source: 'land', paint: { 'fill-color': paint.land } },
      ]),
];

/** One pack ends where its extract was cut. Several may join, and a known coast has a sea around it. */
const hasSoftEdge = (maps: readonly RegionMap[], coast: Surfaces): boolean =>
  maps.length === 1 && coast === null;

const edge: LayerSpecification = {
  id: 'edge',
  type: 'fill',
  source: 'edge',
  paint: { 'fill-color': paint.land, 'fill-opacity': ['get', 'opacity'], 'fill-antialias': false },
};

const sourcesOf = (maps: readonly RegionMap[], coast: Surfaces): StyleSpecification['sources'] => ({
  ...Object.fromEntries(worldSources.map((id) => [id, { type: 'geojson' as const, data: nothing }])),
  ...Object.fromEntries(
    maps.map(({ tilesUrl }, pack) => [sourceOf(pack), { type: 'vector' as const, url: tilesUrl }]),
  ),
  ...(hasSoftEdge(maps, coast)
    ? { edge: { type: 'geojson' as const, data: softEdge(maps[0]!.mapBounds) } }
    : {}),
  ...(maps.length > 1 ? { regions: { type: 'geojson' as const, data: titlePoints(maps) } } : {}),
  ...(coast === null
    ? {}
    : {
        sea: { type: 'geojson' as const, data: coast.sea },
        land: { type: 'geojson' as const, data: coast.land },
      }),
});

/**
 * The style of the packs' own tiles (Protomaps basemap schema), each kind of thing drawn for all packs before
 * the next. It names the images of `map-images.ts`.
 * @param language `en` or `zh`.
 */
export function ownStyle(maps: readonly RegionMap[], language: string): StyleSpecification {
  const coast = surfaces(maps);
  const ofPacks = maps.map((_, pack) =>
    basemapLayers(sourceOf(pack), language).map((layer) => ({ ...layer, id: `${layer.id}-${pack}` })),
  );
  const [first = []] = ofPacks;
  const kindsFrom = (from: number, to?: number) =>
    first.slice(from, to).flatMap((_, at) => ofPacks.flatMap((layers) => layers[from + at] ?? []));
  // Routes are drawn below the first name, and above the edge: they may lead beyond it.
  const firstName = first.findIndex(({ type }) => type === 'symbol');
  return {
    version: 8,
    sources: sourcesOf(maps, coast),
    layers: [
      ...worldLayers(coast),
      ...kindsFrom(0, firstName),
      ...(hasSoftEdge(maps, coast) ? [edge] : []),
      ...kindsFrom(firstName),
      cityNames(language),
      ...(coast === null ? [] : [landTowns]),
      ...(maps.length > 1 ? [regionTitles] : []),
    ],
  };
}
