import { open, rm, type FileHandle } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import type { Shape } from './shape.ts';

/** How much waits in memory before it is written. */
const MEMORY_BYTES = 48 << 20;

interface Bucket {
  pending: Buffer[];
  written: { offset: number; length: number }[];
}

/** Shapes by the part of the map that they touch, stored on disk until that part is drawn. */
export class ShapeSpool {
  private readonly file: string;
  private readonly handle: FileHandle;
  private readonly buckets = new Map<string, Bucket>();
  private pendingBytes = 0;
  private writtenBytes = 0;

  private constructor(file: string, handle: FileHandle) {
    this.file = file;
    this.handle = handle;
  }

  static async create(file: string): Promise<ShapeSpool> {
    return new ShapeSpool(file, await open(file, 'w+'));
  }

  get keys(): string[] {
    return [...this.buckets.keys()];
  }

  async add(keys: readonly string[], shape: Shape): Promise<void> {
    const packed = serialize({ ...shape, paths: shape.paths.map((path) => Float64Array.from(path)) });
    const length = Buffer.alloc(4);
    length.writeUInt32LE(packed.length);
    for (const key of keys) {
      const bucket = this.buckets.get(key) ?? { pending: [], written: [] };
      this.buckets.set(key, bucket);
      bucket.pending.push(length, packed);
      this.pendingBytes += packed.length + 4;
    }
    if (this.pendingBytes > MEMORY_BYTES) await this.flush();
  }

  async read(key: string): Promise<Shape[]> {
    const { pending, written } = this.buckets.get(key)!;
    const parts: Buffer[] = [];
    for (const { offset, length } of written) {
      const { buffer } = await this.handle.read(Buffer.alloc(length), 0, length, offset);
      parts.push(buffer);
    }
    const bytes = Buffer.concat([...parts, ...pending]);
    const shapes: Shape[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = at + 4 + bytes.readUInt32LE(at);
      const shape = deserialize(bytes.subarray(at + 4, end)) as Omit<Shape, 'paths'> & {
        paths: Float64Array[];
      };
      shapes.push({ ...shape, paths: shape.paths.map((path) => Array.from(path)) });
      at = end;
    }
    return shapes;
  }

  async close(): Promise<void> {
    await this.handle.close();
    await rm(this.file, { force: true });
  }

  private async flush(): Promise<void> {
    for (const bucket of this.buckets.values()) {
      if (bucket.pending.length === 0) continue;
      const bytes = Buffer.concat(bucket.pending);
      await this.handle.write(bytes, 0, bytes.length, this.writtenBytes);
      bucket.written.push({ offset: this.writtenBytes, length: bytes.length });
      bucket.pending = [];
      this.writtenBytes += bytes.length;
    }
    this.pendingBytes = 0;
  }
}
