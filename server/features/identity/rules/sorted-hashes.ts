/**
 * Reads a part of a file from a position: at least some hundred characters, fewer only at the end of the
 * file.
 */
export type ReadAt = (position: number) => Promise<string>;

/**
 * Whether a sorted file contains a hash, or its first digits if the file has shortened hashes. Each line has
 * a hash in hexadecimal, of the same length in every line, and may continue after a colon (how often it was
 * seen). A binary search narrows the file down to one read.
 * @param hash in capital letters.
 */
export async function findInSortedHashes(hash: string, size: number, readAt: ReadAt): Promise<boolean> {
  /** The first line that begins at `position` or later. */
  const lineFrom = async (position: number): Promise<{ digits: string; end: number } | null> => {
    // Reads from one character earlier, to see whether a line begins right here.
    const from = Math.max(0, position - 1);
    const piece = await readAt(from);
    const start = position === 0 ? 0 : piece.indexOf('\n') + 1;
    if (position > 0 && start === 0) return null;
    const rest = piece.slice(start);
    const digits = /^[0-9a-f]+/i.exec(rest)?.[0] ?? '';
    if (digits === '') return null;
    const end = rest.indexOf('\n');
    return { digits: digits.toUpperCase(), end: end === -1 ? size : from + start + end + 1 };
  };
  let [low, high] = [0, size];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const line = await lineFrom(middle);
    if (line === null) {
      high = middle;
      continue;
    }
    const wanted = hash.slice(0, line.digits.length);
    if (line.digits === wanted) return true;
    if (line.digits < wanted) low = Math.max(line.end, middle + 1);
    else high = middle;
  }
  return false;
}
