import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { readArrays, writeArrays, type ArrayFileKind } from '#roads/graph/array-file.ts';
import { partsOf, type Part, type Stored } from './stored.ts';
import type { RequestIndex } from './request-index.ts';
import type { RideIndex } from './ride-index.ts';

/**
 * Raise it whenever anything that goes into the index changes its meaning; a changed column is noticed
 * without it.
 */
const version = 4;

/** The two halves of an index. */
interface Halves {
  rides: RideIndex;
  requests: RequestIndex;
}

/** A snapshot's description of itself. */
export interface SnapshotFacts {
  /** The number up to which the event log was read. */
  seq: number;
}

const partOf = ({ rides, requests }: Halves): Part => partsOf({ rides: rides.part, requests: requests.part });

function kindOf(arrays: Stored): ArrayFileKind<Stored> {
  const types = Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [name, array.constructor]),
  ) as ArrayFileKind<Stored>['types'];
  return { magic: 'SWINDEX\n', version, types };
}

/**
 * Writes an index to a file, which is replaced when all of it has been written. The arrays are copied before
 * the first wait: what is taken in meanwhile is not in it.
 * @param source the roads and the database that it is an index of.
 */
export async function writeSnapshot(
  file: string,
  halves: Halves,
  { source, facts }: { source: string; facts: SnapshotFacts },
): Promise<void> {
  const arrays = partOf(halves).store();
  const kind = kindOf(arrays);
  await removeLeftDrafts(file);
  await writeArrays(file, kind, { arrays, facts, source: sourceWith(kind, source) });
}

/** A draft this old is none that is being written: its process was killed. */
const leftDraftMs = 3_600_000;

async function removeLeftDrafts(file: string): Promise<void> {
  const folder = path.dirname(file);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(`${path.basename(file)}.`))) {
    const draft = path.join(folder, name);
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - leftDraftMs) await rm(draft, { force: true });
  }
}

/**
 * Fills empty halves from a file. Null, with nothing changed, where it is missing or damaged, of other roads,
 * another database or another version.
 */
export async function readSnapshot(
  file: string,
  halves: Halves,
  source: string,
): Promise<SnapshotFacts | null> {
  const part = partOf(halves);
  const kind = kindOf(part.store());
  const found = await readArrays(file, kind, sourceWith(kind, source)).catch(() => null);
  if (found === null) return null;
  part.restore(found.arrays);
  return found.facts as SnapshotFacts;
}

/** The columns as well: with others a file is none of ours. */
const sourceWith = ({ types }: ArrayFileKind<Stored>, source: string): string =>
  `${source} ${crc32(
    Object.entries(types)
      .map(([name, type]) => `${name}:${type.name}`)
      .join(),
  )}`;
