import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { exportData, ExportState } from '#contract/privacy/export.ts';
import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../../app-type.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/platform.ts';
import { notFound } from '../../../platform/refusal.ts';
import * as store from './store.ts';
import type { ExportRow } from './store.ts';

/** Long enough to begin a download; one that has begun goes on. */
const addressLivesMs = 5 * minuteMs;
const purpose = 'export';

/** Asks for an export, or joins the one that is being made; a former one is replaced. */
export async function startExport(app: App, userId: string): Promise<ExportState> {
  const { transact, clock } = app;
  await transact('start export', (tx) => store.askExport(tx, { id: randomUUID(), userId, at: clock.now() }));
  return readExport(app, userId);
}

const expiryOf = ({ askedAt }: store.ExportRow): Date => later(askedAt, keptMs('dataExports'));

/** The export of a person that is not over; null if there is none. */
async function currentExport({ db, clock }: App, userId: string): Promise<store.ExportRow | null> {
  const row = await store.exportOf(db, userId);
  return row === null || (row.state !== 'preparing' && expiryOf(row) <= clock.now()) ? null : row;
}

/** How far a person's export is. */
export async function readExport(app: App, userId: string): Promise<ExportState> {
  const row = await currentExport(app, userId);
  if (row === null) return { state: 'none', askedAt: null, expiresAt: null, bytes: 0 };
  return {
    state: row.state,
    askedAt: row.askedAt.toISOString(),
    expiresAt: row.state === 'ready' ? expiryOf(row).toISOString() : null,
    bytes: row.bytes,
  };
}

const fileNameOf = ({ askedAt }: store.ExportRow): string =>
  `sameway-${askedAt.toISOString().slice(0, 10)}.zip`;

/** Where the owner of a ready export downloads it. Refuses `privacy.exportNotReady`. */
export async function exportAddress(app: App, userId: string): Promise<OutputOf<typeof exportData>> {
  const { signedTokens, clock } = app;
  const row = await currentExport(app, userId);
  if (row?.state !== 'ready')
    throw notFound('privacy.exportNotReady', 'Your data isn’t ready to download. Please prepare it first.');
  const code = await signedTokens.sign(purpose, [row.id, userId], later(clock.now(), addressLivesMs));
  return { fileName: fileNameOf(row), bytes: row.bytes, address: `/files/export/${code}` };
}

interface ExportDownload {
  fileName: string;
  bytes: number;
  parts: AsyncGenerator<Buffer>;
}

/** The archive behind the token of an address; null when the token is over or forged, or the archive gone. */
export async function openExport(app: App, code: string): Promise<ExportDownload | null> {
  const { files, signedTokens } = app;
  const [id, userId] = (await signedTokens.verify(purpose, code)) ?? [];
  const row = userId === undefined ? null : await currentExport(app, userId);
  if (row?.state !== 'ready' || row.id !== id) return null;
  return { fileName: fileNameOf(row), bytes: row.bytes, parts: readParts(files, row) };
}

/**
 * Deletes exports that are too old, replaced, or of an account that is gone: first their files, then the row.
 */
export async function clearExports({ db, files, clock }: App): Promise<void> {
  const now = clock.now();
  for (const row of await store.oldExports(db, now, later(now, -keptMs('dataExports')))) {
    await removeParts(files, row);
    await store.deleteExport(db, row.id);
  }
}

/** A part is read and sent as a whole, so that the size of an archive costs no memory. */
export const partBytes = 4 * 1024 * 1024;

type Files = Platform['files'];

/** Where a part of an archive lies. Each attempt has parts of its own: one that is late harms none. */
export const partKey = (id: string, attempt: number, part: number): string =>
  `private/exports/${id}/${attempt}-${part}.part`;

/** The parts of a ready archive, one after another. */
async function* readParts(
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
async function removeParts(
  files: Files,
  { id, attempts, parts }: Pick<ExportRow, 'id' | 'attempts' | 'parts'>,
): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++)
    for (let part = 0; part < parts; part++) await files.remove(partKey(id, attempt, part));
}
