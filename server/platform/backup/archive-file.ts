import fs from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Pack } from 'tar-stream';

const chunkBytes = 1024 * 1024;

/**
 * Adds a file that other processes may be writing to: as many bytes as it had at first, filled up with zeros
 * if it shrinks. A name that ends with a slash adds an empty folder.
 * @returns 1, or 0 if the file no longer exists
 */
export async function addFile(pack: Pack, file: string, name: string): Promise<number> {
  if (name.endsWith('/')) {
    await addEntry(pack, { name, type: 'directory', mode: 0o700 }, []);
    return 0;
  }
  const handle = await fs.open(file).catch(ignoreMissing);
  if (handle === null) return 0;
  try {
    const { size } = await handle.stat();
    await addEntry(pack, { name, size, mode: 0o600 }, piecesOf(handle, size));
    return 1;
  } finally {
    await handle.close();
  }
}

/** Adds a file with this content. */
export async function addBytes(pack: Pack, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await addEntry(pack, { name, size: bytes.length, mode: 0o600 }, [bytes]);
}

/** Fails if the archive fails meanwhile, such as when its destination is full. */
const addEntry = (
  pack: Pack,
  header: Parameters<Pack['entry']>[0],
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<void> => pipeline(pieces, pack.entry(header));

async function* piecesOf(handle: fs.FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += chunkBytes) {
    const bytes = Buffer.alloc(Math.min(chunkBytes, size - at));
    await handle.read(bytes, 0, bytes.length, at);
    yield bytes;
  }
}

/** For a file or folder that may no longer exist. */
export function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
