import fs from 'node:fs/promises';
import type { Pack } from 'tar-stream';

const chunkBytes = 1024 * 1024;

/**
 * Adds a file that other processes may be writing to: as many bytes as it had at first, filled up with zeros
 * if it shrinks. A name that ends with a slash adds an empty folder.
 * @returns 1, or 0 if the file no longer exists
 */
export async function addFile(pack: Pack, file: string, name: string): Promise<number> {
  if (name.endsWith('/')) {
    pack.entry({ name, type: 'directory', mode: 0o700 });
    return 0;
  }
  const handle = await fs.open(file).catch(ignoreMissing);
  if (handle === null) return 0;
  try {
    const { size } = await handle.stat();
    const entry = pack.entry({ name, size, mode: 0o600 });
    for (let at = 0; at < size;) {
      const bytes = Buffer.alloc(Math.min(chunkBytes, size - at));
      await handle.read(bytes, 0, bytes.length, at);
      at += bytes.length;
      if (!entry.write(bytes)) await untilDrained(entry);
    }
    entry.end(Buffer.alloc(0));
    return 1;
  } finally {
    await handle.close();
  }
}

/** Adds a file with this content. */
export async function addBytes(pack: Pack, name: string, text: string): Promise<void> {
  const added = Promise.withResolvers<void>();
  pack.entry({ name, mode: 0o600 }, text, (error) => (error ? added.reject(error) : added.resolve()));
  await added.promise;
}

/** Fails if the archive has ended because its destination failed. */
async function untilDrained(entry: ReturnType<Pack['entry']>): Promise<void> {
  const drained = Promise.withResolvers<void>();
  const onClose = () => drained.reject(new Error('The archive was not written to its end.'));
  entry.once('drain', drained.resolve).once('close', onClose);
  await drained.promise;
  entry.off('close', onClose);
}

/** For a file or folder that may no longer exist. */
export function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
