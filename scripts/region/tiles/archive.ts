import { open, rm, type FileHandle } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { zxyToTileId } from 'pmtiles';
import type { Bounds } from '../../../roads/graph/geometry.ts';
import type { TileAddress } from './vector-tile.ts';

/**
 * A tile in the archive, its offset counted from the first one. Ids run along a Hilbert curve, zoom by zoom.
 */
interface Entry {
  id: number;
  offset: number;
  length: number;
  run: number;
}

interface ArchiveDescription {
  bounds: Bounds;
  center: [lon: number, lat: number];
  maxZoom: number;
  metadata: object;
}

const HEADER_BYTES = 127;
/** Header and root directory lie within the first 16 KiB, which readers fetch at once. */
const ROOT_BYTES = 16_384 - HEADER_BYTES;
const [GZIP, MVT] = [2, 1];
const DEGREES = 1e-7;

/**
 * Writes a PMTiles archive, version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). Tiles
 * may come in any order: they wait in a second file, so that memory holds only where they are.
 */
export class ArchiveWriter {
  private readonly file: string;
  private readonly waiting: FileHandle;
  private readonly entries: Entry[] = [];
  private waitingBytes = 0;

  private constructor(file: string, waiting: FileHandle) {
    this.file = file;
    this.waiting = waiting;
  }

  static async create(file: string): Promise<ArchiveWriter> {
    return new ArchiveWriter(file, await open(`${file}.tiles`, 'w+'));
  }

  get tiles(): number {
    return this.entries.reduce((sum, { run }) => sum + run, 0);
  }

  async add({ z, x, y }: TileAddress, tile: Uint8Array): Promise<void> {
    await this.addRun(zxyToTileId(z, x, y), 1, tile);
  }

  /** The same tile at an address and everywhere below it, down to a zoom: one entry for each zoom. */
  async addAllBelow({ z, x, y }: TileAddress, lastZoom: number, tile: Uint8Array): Promise<void> {
    const along = zxyToTileId(z, x, y) - tilesAbove(z);
    for (let deeper = 0; z + deeper <= lastZoom; deeper++) {
      // Along the curve, all tiles below one follow each other.
      const run = 4 ** deeper;
      await this.addRun(tilesAbove(z + deeper) + along * run, run, tile);
    }
  }

  private async addRun(id: number, run: number, tile: Uint8Array): Promise<void> {
    const zipped = gzipSync(tile);
    this.entries.push({ id, offset: this.waitingBytes, length: zipped.length, run });
    await this.waiting.write(zipped);
    this.waitingBytes += zipped.length;
  }

  /** Puts the archive together: header, root directory, metadata, leaf directories, tiles. */
  async finish({ bounds, center, maxZoom, metadata }: ArchiveDescription): Promise<void> {
    const sources = this.entries.toSorted((a, b) => a.id - b.id);
    let end = 0;
    const placed = sources.map((entry) => ({ ...entry, offset: (end += entry.length) - entry.length }));
    const { root, leaves } = directories(placed);
    const json = gzipSync(JSON.stringify(metadata));
    const header = Buffer.alloc(HEADER_BYTES);
    header.write('PMTiles', 'latin1');
    header[7] = 3;
    let at = HEADER_BYTES;
    [root.length, json.length, leaves.length, end].forEach((length, part) => {
      header.writeBigUInt64LE(BigInt(at), 8 + part * 16);
      header.writeBigUInt64LE(BigInt(length), 16 + part * 16);
      at += length;
    });
    // Tiles addressed, then entries and contents: every entry has its own.
    [this.tiles, placed.length, placed.length].forEach((count, i) =>
      header.writeBigUInt64LE(BigInt(count), 72 + i * 8),
    );
    header.set([1, GZIP, GZIP, MVT, 0, maxZoom], 96);
    [...bounds, Number.NaN, ...center].forEach((degrees, i) => {
      if (i === 4) header[118] = Math.min(maxZoom, 12);
      else header.writeInt32LE(Math.round(degrees / DEGREES), i < 4 ? 102 + i * 4 : 119 + (i - 5) * 4);
    });
    const archive = await open(this.file, 'w');
    try {
      await archive.write(Buffer.concat([header, root, json, leaves]));
      for (const { offset, length } of sources) {
        const { buffer } = await this.waiting.read(Buffer.alloc(length), 0, length, offset);
        await archive.write(buffer);
      }
    } finally {
      await archive.close();
    }
  }

  /** Takes away what waits. To be called in the end, whatever happened. */
  async close(): Promise<void> {
    await this.waiting.close();
    await rm(`${this.file}.tiles`, { force: true });
  }
}

/** How many tiles the zooms before one have. */
function tilesAbove(zoom: number): number {
  return (4 ** zoom - 1) / 3;
}

/** One directory where it fits, else a root over leaves, which grow until the root fits. */
function directories(entries: readonly Entry[]): { root: Buffer; leaves: Buffer } {
  const whole = directory(entries);
  if (whole.length <= ROOT_BYTES) return { root: whole, leaves: Buffer.alloc(0) };
  for (let size = 4096; ; size *= 2) {
    const leaves: Buffer[] = [];
    const pointers: Entry[] = [];
    let offset = 0;
    for (let i = 0; i < entries.length; i += size) {
      const leaf = directory(entries.slice(i, i + size));
      // A run of 0 says that this is a directory.
      pointers.push({ id: entries[i]!.id, offset, length: leaf.length, run: 0 });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = directory(pointers);
    if (root.length <= ROOT_BYTES) return { root, leaves: Buffer.concat(leaves) };
  }
}

function directory(entries: readonly Entry[]): Buffer {
  const pbf = new PbfWriter();
  pbf.writeVarint(entries.length);
  entries.forEach(({ id }, i) => pbf.writeVarint(id - (entries[i - 1]?.id ?? 0)));
  for (const { run } of entries) pbf.writeVarint(run);
  for (const { length } of entries) pbf.writeVarint(length);
  entries.forEach(({ offset }, i) => {
    const before = entries[i - 1];
    // 0 means: right after the one before.
    pbf.writeVarint(before && offset === before.offset + before.length ? 0 : offset + 1);
  });
  return gzipSync(pbf.finish());
}
