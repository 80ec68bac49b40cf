import { open } from 'node:fs/promises';
import { PMTiles, type Source } from 'pmtiles';
import { worldPosition } from './shape.ts';

/** An archive as the browser reads it, by ranges of bytes. */
export function archiveIn(file: string): PMTiles {
  const source: Source = {
    getKey: () => file,
    async getBytes(offset, length) {
      const handle = await open(file);
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
        return { data: new Uint8Array(buffer.subarray(0, bytesRead)).buffer };
      } finally {
        await handle.close();
      }
    },
  };
  return new PMTiles(source);
}

/** The address of the tile that shows a point. */
export const tileAt = (lon: number, lat: number, z: number) => {
  const [x, y] = worldPosition(lon, lat);
  return [z, Math.floor(x * 2 ** z), Math.floor(y * 2 ** z)] as const;
};
