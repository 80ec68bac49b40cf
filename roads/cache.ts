import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { RoadArrays, RoadGraphData } from './graph.ts';
import type { Hierarchy } from './hierarchy.ts';

/** Raise it whenever the layout below or anything that goes into a graph (profile, turns, order of contraction) changes. */
const CACHE_VERSION = 6;

const MAGIC = 'SWROADS\n';
const ALIGNMENT = 8;

type StoredArrays = RoadArrays & Hierarchy;
type ArrayName = keyof StoredArrays;
type ArrayIn<T> = new (memory: ArrayBufferLike, offset: number, length: number) => T;
type ArrayTypes<Arrays> = { [Name in keyof Arrays]: ArrayIn<Arrays[Name]> };

const ROAD_ARRAYS: ArrayTypes<RoadArrays> = {
  edgeMilliseconds: Uint32Array,
  edgeDecimetres: Uint32Array,
  edgeReverse: Int32Array,
  edgeName: Int32Array,
  edgeShape: Uint32Array,
  edgeFlags: Uint8Array,
  edgePart: Uint16Array,
  arcStart: Uint32Array,
  arcTo: Uint32Array,
  arcMilliseconds: Uint32Array,
  shapeStart: Uint32Array,
  shapePoints: Int32Array,
  exitEdges: Uint32Array,
  entryEdges: Uint32Array,
};
const HIERARCHY_ARRAYS: ArrayTypes<Hierarchy> = {
  rankOf: Uint32Array,
  edgeAt: Uint32Array,
  upStart: Uint32Array,
  upTo: Uint32Array,
  upWeight: Float64Array,
  upMiddle: Int32Array,
  downStart: Uint32Array,
  downFrom: Uint32Array,
  downWeight: Float64Array,
  downMiddle: Int32Array,
};
const ARRAY_NAMES = Object.keys({ ...ROAD_ARRAYS, ...HIERARCHY_ARRAYS }) as ArrayName[];

/** What is kept: the graph as built, and its hierarchy. */
export interface StoredRoads {
  graph: RoadGraphData;
  hierarchy: Hierarchy;
}

interface CacheHeader {
  version: number;
  /** Checksums of the extracts that the graph was built from. */
  source: string;
  littleEndian: boolean;
  payloadBytes: number;
  payloadCrc: number;
  lengths: Record<ArrayName, number>;
  names: string[];
  bounds: RoadGraphData['bounds'];
  packBounds: RoadGraphData['packBounds'];
  nodeCount: number;
}

const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/**
 * Saves a graph: a magic word, the length of a JSON header, the header, then the arrays one after the other, each at a
 * multiple of eight bytes. Written beside its place and renamed, so that a reader never meets half a file.
 */
export async function writeCache(
  file: string,
  { graph, hierarchy }: StoredRoads,
  source: string,
): Promise<void> {
  const data = { ...graph, ...hierarchy };
  const payload = Buffer.concat(
    ARRAY_NAMES.flatMap((name) => {
      const { buffer, byteOffset, byteLength } = data[name];
      return [Buffer.from(buffer, byteOffset, byteLength), Buffer.alloc(padding(byteLength))];
    }),
  );
  const header: CacheHeader = {
    version: CACHE_VERSION,
    source,
    littleEndian: LITTLE_ENDIAN,
    payloadBytes: payload.length,
    payloadCrc: crc32(payload),
    lengths: Object.fromEntries(
      ARRAY_NAMES.map((name) => [name, data[name].length]),
    ) as CacheHeader['lengths'],
    names: data.names,
    bounds: data.bounds,
    packBounds: data.packBounds,
    nodeCount: data.nodeCount,
  };
  const json = Buffer.from(JSON.stringify(header));
  const lead = Buffer.alloc(MAGIC.length + 8);
  lead.write(MAGIC, 'latin1');
  lead.writeUInt32LE(json.length, MAGIC.length);
  lead.writeUInt32LE(crc32(json), MAGIC.length + 4);
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, Buffer.concat([lead, json, payload]));
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Reads a saved graph into shared memory; null when there is none, or it is of another extract, old or damaged. */
export async function readCache(file: string, source: string): Promise<StoredRoads | null> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!bytes || bytes.length < MAGIC.length + 8 || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return null;
  const jsonStart = MAGIC.length + 8;
  const json = bytes.subarray(jsonStart, jsonStart + bytes.readUInt32LE(MAGIC.length));
  if (crc32(json) !== bytes.readUInt32LE(MAGIC.length + 4)) return null;
  const header = JSON.parse(json.toString()) as CacheHeader;
  if (header.version !== CACHE_VERSION || header.source !== source || header.littleEndian !== LITTLE_ENDIAN)
    return null;
  const payload = bytes.subarray(jsonStart + json.length);
  if (payload.length !== header.payloadBytes || crc32(payload) !== header.payloadCrc) return null;
  const { names, bounds, packBounds, nodeCount } = header;
  const memory = new SharedArrayBuffer(payload.length);
  new Uint8Array(memory).set(payload);
  const [roads, hierarchyOffset] = arraysIn(memory, 0, ROAD_ARRAYS, header.lengths);
  const [hierarchy] = arraysIn(memory, hierarchyOffset, HIERARCHY_ARRAYS, header.lengths);
  return { graph: { ...roads, names, bounds, packBounds, nodeCount }, hierarchy };
}

/** The arrays that stand one after the other from an offset on, and the offset after them. */
function arraysIn<Arrays extends RoadArrays | Hierarchy>(
  memory: SharedArrayBuffer,
  offset: number,
  types: ArrayTypes<Arrays>,
  lengths: Record<keyof Arrays, number>,
): [arrays: Arrays, end: number] {
  let end = offset;
  const arrays: Partial<Arrays> = {};
  for (const name of Object.keys(types) as (keyof Arrays)[]) {
    const array = new types[name](memory, end, lengths[name]);
    arrays[name] = array;
    const { byteLength } = array as ArrayBufferView;
    end += byteLength + padding(byteLength);
  }
  return [arrays as Arrays, end];
}

function padding(bytes: number): number {
  return (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT;
}
