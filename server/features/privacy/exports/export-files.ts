import type { Platform } from '../../../platform/platform.ts';
import type { ExportRow } from './store.ts';

/** A part is read and sent as a whole, so that the size of an archive costs no memory. */
export const partBytes = 4 * 1024 * 1024;

type Files = Platform['files'];

/** Where a part of an archive lies. Each attempt has parts of its own: one that is late harms none. */
export const partKey = (id: string, attempt: number, part: number): string =>
  `private/exports/${id}/${attempt}-${part}.part`;

/** The parts of a ready archive, one after another. */
export async function* readParts(
  files: Files,
  { id, attempts, bytes }: Pick<ExportRow, 'id' | 'attempts' | 'bytes'>,
): AsyncGenerator<Buffer> {
  let left = bytes;
  for (let part = 0; left > 0; part++) {
    const read = await files.read(partKey(id, attempts, part));
    if (read === null) throw new Error(`Part ${part} of export ${id} is missing.`);
    left -= read.length;
    yield read;
  }
}

/** Removes what any attempt has written, also one that was cut off. */
export async function removeParts(
  files: Files,
  { id, attempts, parts }: Pick<ExportRow, 'id' | 'attempts' | 'parts'>,
): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++)
    for (let part = 0; part < parts; part++) await files.remove(partKey(id, attempt, part));
}
