import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Destination } from './destination.ts';

/**
 * The description of a backup, which can be read without opening the archive. It is a file of its own,
 * unencrypted.
 */
export const backupNote = z.object({
  format: z.literal(1),
  archive: z.string(),
  /** When it began and ended, by the machine's clock. */
  beganAt: z.iso.datetime(),
  at: z.iso.datetime(),
  /** The release that last used the database, and the last migration of its schema. */
  release: z.string(),
  migration: z.string(),
  /** The embedded database's files, or a `pg_dump` of the one that `DATABASE_URL` names. */
  database: z.enum(['files', 'dump']),
  /** For files: the first segment of the write-ahead log that belongs to them. */
  firstSegment: z.string().optional(),
  pictures: z.enum(['included', 'in a bucket']),
  isSealed: z.boolean(),
  files: z.number().int(),
  /** The size of the stored archive. */
  bytes: z.number().int(),
});
export type BackupNote = z.output<typeof backupNote>;

/**
 * The same description inside the archive, where the key authenticates it: anyone who can write to the folder
 * can change the file outside. Lacks only the size, which is known afterwards.
 */
export const descriptionInside = backupNote.omit({ bytes: true });
export type DescriptionInside = z.output<typeof descriptionInside>;
export const descriptionName = 'description.json';

const begins = 'backup-';

/** The names sort by time. */
export const archiveName = (at: Date, isSealed: boolean): string =>
  `${begins}${at.toISOString().replaceAll(/[:.]/g, '-')}.tar.zst${isSealed ? '.sealed' : ''}`;
export const noteName = (archive: string): string => archive.replace(/\.tar\.zst.*$/, '.json');

/** All complete backups at a destination, the oldest first. */
export async function backupsAt(destination: Destination): Promise<BackupNote[]> {
  const names = (await destination.list(begins)).filter((name) => name.endsWith('.json'));
  const notes: BackupNote[] = [];
  for (const name of names)
    notes.push(backupNote.parse(JSON.parse(await text(await destination.read(name)))));
  return notes.toSorted((a, b) => (a.at < b.at ? -1 : 1));
}
