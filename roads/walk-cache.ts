import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { WalkArrays, WalkGraph } from './walk-graph.ts';

/** Raise it whenever the layout or anything that goes into a walkable network (access rules, stops, islands) changes. */
const CACHE_VERSION = 1;

const MAGIC = 'SWWALKS\n';
const ALIGNMENT = 8;
const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

type ArrayIn<T> = new (memory: ArrayBufferLike, offset: number, length: number) => T;

const ARRAYS: { [Name in keyof WalkArrays]: ArrayIn<WalkArrays[Name]> } = {
  linkStart: Uint32Array,
  linkPiece: Uint32Array,
  pieceFrom: Uint32Array,
  pieceTo: Uint32Array,
  pieceDecimetres: Uint32Array,
  shapeStart: Uint32Array,
  shapePoints: Int32Array,
  pieceBoxes: Uint8Array,
  stopStart: Uint32Array,
  stopDecimetres: Uint32Array,
  stopPoints: Int32Array,
  stopName: Int32Array,
  stopRank: Uint8Array,
};
const ARRAY_NAMES = Object.keys(ARRAYS) as (keyof WalkArrays)[];

interface CacheHeader {
  version: number;
  /** Says what the network was built from: the extracts and the roads. */
  source: string;
  littleEndian: boolean;
  payloadCrc: number;
  lengths: Record<keyof WalkArrays, number>;
  names: string[];
}

/**
 * Saves a walkable network: a magic word, length and checksum of a JSON header, the header, then the arrays one after
 * the other, each at a multiple of eight bytes. Written beside its place and renamed: a reader never meets half a file.
 */
export async function writeWalkCache(file: string, graph: WalkGraph, source: string): Promise<void> {
  const payload = Buffer.concat(
    ARRAY_NAMES.flatMap((name) => {
      const { buffer, byteOffset, byteLength } = graph[name];
      return [Buffer.from(buffer, byteOffset, byteLength), Buffer.alloc(padding(byteLength))];
    }),
  );
  const header: CacheHeader = {
    version: CACHE_VERSION,
    source,
    littleEndian: LITTLE_ENDIAN,
    payloadCrc: crc32(payload),
    lengths: Object.fromEntries(
      ARRAY_NAMES.map((name) => [name, graph[name].length]),
    ) as CacheHeader['lengths'],
    names: graph.names,
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

/** Reads a saved network into shared memory; null when there is none, or it is of another source, old or damaged. */
export async function readWalkCache(file: string, source: string): Promise<WalkGraph | null> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const jsonStart = MAGIC.length + 8;
  if (!bytes || bytes.length < jsonStart || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  const json = bytes.subarray(jsonStart, jsonStart + bytes.readUInt32LE(MAGIC.length));
  if (crc32(json) !== bytes.readUInt32LE(MAGIC.length + 4)) return null;
  const {
    version,
    source: builtFrom,
    littleEndian,
    payloadCrc,
    lengths,
    names,
  } = JSON.parse(json.toString()) as CacheHeader;
  if (version !== CACHE_VERSION || builtFrom !== source || littleEndian !== LITTLE_ENDIAN) return null;
  const payload = bytes.subarray(jsonStart + json.length);
  if (crc32(payload) !== payloadCrc) return null;
  const memory = new SharedArrayBuffer(payload.length);
  new Uint8Array(memory).set(payload);
  const arrays: Partial<Record<keyof WalkArrays, ArrayBufferView>> = {};
  let offset = 0;
  for (const name of ARRAY_NAMES) {
    const array = new ARRAYS[name](memory, offset, lengths[name]);
    arrays[name] = array;
    offset += array.byteLength + padding(array.byteLength);
  }
  return { ...(arrays as WalkArrays), names };
}

function padding(bytes: number): number {
  return (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT;
}
