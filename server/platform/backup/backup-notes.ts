import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Destination } from './destination.ts';

/** What is known of a backup without opening it: lies beside it, and is never sealed. */
export const backupNote = z.object({
  format: z.literal(1),
  archive: z.string(),
  /** When it began and when it was complete, by the machine's clock. */
  beganAt: z.iso.datetime(),
  at: z.iso.datetime(),
  /** Which release was at work on the database last, and the last migration of its schema. */
  release: z.string(),
  migration: z.string(),
  /** The embedded database's files, or what `pg_dump` says of the one that `DATABASE_URL` names. */
  database: z.enum(['files', 'dump']),
  /** Of files: where the log begins that belongs to them. */
  firstSegment: z.string().optional(),
  pictures: z.enum(['included', 'in a bucket']),
  isSealed: z.boolean(),
  files: z.number().int(),
  /** Of the archive as it lies there. */
  bytes: z.number().int(),
});
export type BackupNote = z.output<typeof backupNote>;

const begins = 'backup-';

/** Names that are in the order of their times. */
export const archiveName = (at: Date, isSealed: boolean): string =>
  `${begins}${at.toISOString().replaceAll(/[:.]/g, '-')}.tar.zst${isSealed ? '.sealed' : ''}`;
export const noteName = (archive: string): string => archive.replace(/\.tar\.zst.*$/, '.json');

/** All complete backups at a place, the oldest first. */
export async function backupsAt(destination: Destination): Promise<BackupNote[]> {
  const names = (await destination.list(begins)).filter((name) => name.endsWith('.json'));
  const notes: BackupNote[] = [];
  for (const name of names)
    notes.push(backupNote.parse(JSON.parse(await text(await destination.read(name)))));
  return notes.toSorted((a, b) => (a.at < b.at ? -1 : 1));
}
