import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { RoadArrays, RoadGraphData } from './graph.ts';

/** Raise it whenever the layout below or anything that goes into a graph (profile, turns) changes. */
const CACHE_VERSION = 1;

const MAGIC = 'SWROADS\n';
const ALIGNMENT = 8;

type ArrayName = keyof RoadArrays;
type ArrayIn<T> = new (memory: ArrayBufferLike, offset: number, length: number) => T;

const ARRAY_TYPES: { [Name in ArrayName]: ArrayIn<RoadArrays[Name]> } = {
  edgeMilliseconds: Uint32Array,
  edgeDecimetres: Uint32Array,
  edgeReverse: Int32Array,
  edgeName: Int32Array,
  edgeShape: Uint32Array,
  edgeFlags: Uint8Array,
  arcStart: Uint32Array,
  arcTo: Uint32Array,
  arcMilliseconds: Uint32Array,
  shapeStart: Uint32Array,
  shapePoints: Int32Array,
  exitEdges: Uint32Array,
  entryEdges: Uint32Array,
};
const ARRAY_NAMES = Object.keys(ARRAY_TYPES) as ArrayName[];

interface CacheHeader {
  version: number;
  /** Checksum of the extract that the graph was built from. */
  source: string;
  littleEndian: boolean;
  payloadBytes: number;
  payloadCrc: number;
  lengths: Record<ArrayName, number>;
  names: string[];
  bounds: RoadGraphData['bounds'];
  nodeCount: number;
}

const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/**
 * Saves a graph: a magic word, the length of a JSON header, the header, then the arrays one after the other, each at a
 * multiple of eight bytes. Written beside its place and renamed, so that a reader never meets half a file.
 */
export async function writeCache(file: string, data: RoadGraphData, source: string): Promise<void> {
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
export async function readCache(file: string, source: string): Promise<RoadGraphData | null> {
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
  const { names, bounds, nodeCount } = header;
  return { ...arraysIn(payload, header.lengths), names, bounds, nodeCount };
}

function arraysIn(payload: Buffer, lengths: CacheHeader['lengths']): RoadArrays {
  const memory = new SharedArrayBuffer(payload.length);
  new Uint8Array(memory).set(payload);
  let offset = 0;
  const arrays: Partial<Record<ArrayName, RoadArrays[ArrayName]>> = {};
  for (const name of ARRAY_NAMES) {
    const array = new ARRAY_TYPES[name](memory, offset, lengths[name]);
    arrays[name] = array;
    offset += array.byteLength + padding(array.byteLength);
  }
  return arrays as RoadArrays;
}

function padding(bytes: number): number {
  return (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT;
}
