import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

const ALIGNMENT = 8;
const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

type StoredArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;
type ArrayType<T> = new (memory: ArrayBufferLike, offset: number, length: number) => T;
/** The type of each array, in the order of the file. */
export type ArrayTypes<Arrays> = { [Name in keyof Arrays]: ArrayType<Arrays[Name]> };

/** The arrays of a file, and the magic word and version by which a reader accepts it. */
export interface ArrayFileKind<Arrays> {
  /** Eight letters that the file begins with. */
  magic: string;
  /** Raised whenever the layout or anything that goes into the arrays changes. */
  version: number;
  types: ArrayTypes<Arrays>;
}

interface Header {
  version: number;
  source: string;
  littleEndian: boolean;
  payloadCrc: number;
  lengths: Record<string, number>;
  facts: unknown;
}

/**
 * Saves arrays, and facts about them as JSON: a magic word, length and checksum of a JSON header, the header,
 * then the arrays one after the other, each at a multiple of eight bytes. Written to a temporary file and
 * renamed: a reader never sees half a file.
 * @param source identifies what the arrays were built from; a reader passes the same.
 */
export async function writeArrays<Arrays extends Record<keyof Arrays, StoredArray>>(
  file: string,
  { magic, version, types }: ArrayFileKind<Arrays>,
  { arrays, facts, source }: { arrays: Arrays; facts: unknown; source: string },
): Promise<void> {
  const names = Object.keys(types) as (keyof Arrays & string)[];
  const payload = Buffer.concat(
    names.flatMap((name) => {
      const { buffer, byteOffset, byteLength } = arrays[name];
      return [Buffer.from(buffer, byteOffset, byteLength), Buffer.alloc(padding(byteLength))];
    }),
  );
  const header: Header = {
    version,
    source,
    littleEndian: LITTLE_ENDIAN,
    payloadCrc: crc32(payload),
    lengths: Object.fromEntries(names.map((name) => [name, arrays[name].length])),
    facts,
  };
  const json = Buffer.from(JSON.stringify(header));
  const lead = Buffer.alloc(magic.length + 8);
  lead.write(magic, 'latin1');
  lead.writeUInt32LE(json.length, magic.length);
  lead.writeUInt32LE(crc32(json), magic.length + 4);
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, Buffer.concat([lead, json, payload]));
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Reads saved arrays into shared memory; null when the file is missing, has another source or version, or is
 * damaged.
 */
export async function readArrays<Arrays>(
  file: string,
  { magic, version, types }: ArrayFileKind<Arrays>,
  source: string,
): Promise<{ arrays: Arrays; facts: unknown } | null> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const jsonStart = magic.length + 8;
  if (!bytes || bytes.length < jsonStart || bytes.toString('latin1', 0, magic.length) !== magic) return null;
  const json = bytes.subarray(jsonStart, jsonStart + bytes.readUInt32LE(magic.length));
  if (crc32(json) !== bytes.readUInt32LE(magic.length + 4)) return null;
  // The checksum matched, so `writeArrays` wrote it.
  const header = JSON.parse(json.toString()) as Header;
  if (header.version !== version || header.source !== source || header.littleEndian !== LITTLE_ENDIAN)
    return null;
  const payload = bytes.subarray(jsonStart + json.length);
  if (crc32(payload) !== header.payloadCrc) return null;
  const memory = new SharedArrayBuffer(payload.length);
  new Uint8Array(memory).set(payload);
  const arrays: Partial<Arrays> = {};
  let offset = 0;
  for (const name of Object.keys(types) as (keyof Arrays & string)[]) {
    const array = new types[name](memory, offset, header.lengths[name]!);
    arrays[name] = array;
    const { byteLength } = array as StoredArray;
    offset += byteLength + padding(byteLength);
  }
  return { arrays: arrays as Arrays, facts: header.facts };
}

function padding(bytes: number): number {
  return (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT;
}
