import { createOSMStream } from 'osm-pbf-parser-node';
import type { Bounds } from '../graph/geometry.ts';

/** OpenStreetMap's three elements, as far as this project reads them. */
export type Tags = Record<string, string>;

export interface OsmNode {
  type: 'node';
  id: number;
  lon: number;
  lat: number;
  tags?: Tags;
}

export interface OsmWay {
  type: 'way';
  id: number;
  refs: number[];
  tags?: Tags;
}

export interface OsmRelation {
  type: 'relation';
  id: number;
  members: { type: 'node' | 'way' | 'relation'; ref: number; role: string }[];
  tags?: Tags;
}

interface OsmHeader {
  type?: undefined;
  bbox?: { left: number; right: number; top: number; bottom: number } | null;
}

type OsmElement = OsmNode | OsmWay | OsmRelation;

/**
 * Streams an .osm.pbf file, elements in file order (nodes, ways, relations).
 * @param onBounds called when the file's header states its bounding box.
 * @throws when the file is missing or is not OSM PBF.
 */
export async function* readOsm(
  pbfFile: string,
  onBounds?: (bounds: Bounds) => void,
): AsyncGenerator<OsmElement, void, undefined> {
  const stream = createOSMStream(pbfFile, { withTags: true, withInfo: false }) as AsyncIterable<
    OsmElement | OsmHeader
  >;
  for await (const item of stream) {
    if (item.type !== undefined) yield item;
    else if (item.bbox) {
      const nano = 1e-9;
      const { left, bottom, right, top } = item.bbox;
      onBounds?.([left * nano, bottom * nano, right * nano, top * nano]);
    }
  }
}
