import { createDeflateRaw, crc32 } from 'node:zlib';
import { Zip, ZipPassThrough, type ZipInputFile } from 'fflate';
import { appVersion } from '#contract/app/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { later, minuteMs, secondMs } from '../../../platform/clock.ts';
import { exportPictures } from '../../pictures/service.ts';
import { personalTables, type PersonalTable } from '../rules/personal-tables.ts';
import { exportReadme } from '../rules/readme.ts';
import { idsAbout, namesAround, piecesOf, readRowsAbout, type Row } from '../store.ts';
import { partBytes, partKey } from './ask-export.ts';
import type { Attempt } from './store.ts';
import * as store from './store.ts';

/** Rows of a table are lines. */
const between = ',\n  ';

/** Finding a person, a room or a move by other rows costs the database as much as reading this many rows. */
const rowsToFindOne = 3;
/** Reading a picture from the file store and sending it on counts as this many rows. */
const rowsOfPicture = 50;

/**
 * Writes everything about a person into the file store, in parts: each table is read in pages, in short
 * transactions of its own. Between these it can be left for as long as wanted: it holds no connection. Throws
 * `AttemptOver` where the attempt is.
 * @yields what it has cost since it went on, in rows that were read
 * @returns the bytes of the archive
 */
export async function* writeArchive(app: App, attempt: Attempt): AsyncGenerator<number, number> {
  const { db, clock } = app;
  const { userId } = attempt;
  const archive = new Archive();
  const parts = new ArchiveParts(app, attempt, archive);
  const at = clock.now().toISOString();
  const readme = archive.addText('README.txt');
  await readme.write(exportReadme(at));
  await readme.end();

  const data = archive.addText('data.json');
  const people = await namesAround(db, userId);
  const head = { product: 'Sameway', version: appVersion, exportedAt: at, people };
  await data.write(JSON.stringify(head, null, 1).slice(0, -2));
  yield rowsToFindOne * Object.keys(people).length;
  const orders = new Set<string>();
  for (const [table, entries] of exportedTables) {
    let separator = `,\n "${table}": [\n  `;
    const write = async (rows: readonly Row[]) => {
      if (rows.length === 0) return;
      await data.write(separator + rows.map((row) => JSON.stringify(row)).join(between));
      separator = between;
    };
    for (const personal of entries)
      for await (const rows of readEach(app, personal, { userId, orders, write })) {
        await parts.writeFull();
        yield rows;
      }
    await data.write(separator === between ? '\n ]' : `,\n "${table}": []`);
  }
  await data.write('\n}\n');
  await data.end();

  for await (const { name, bytes } of exportPictures(app, userId)) {
    archive.addStored(`pictures/${name}`, bytes);
    await parts.writeFull();
    yield rowsOfPicture;
  }
  archive.end();
  await parts.writeRest();
  return parts.bytes;
}

/** Reads the rows of a table about a person, one piece after another. @yields as `writeArchive` */
async function* readEach(
  { db, longRead }: App,
  personal: PersonalTable | 'account',
  about: { userId: string; orders: Set<string>; write: (rows: readonly Row[]) => Promise<void> },
): AsyncGenerator<number> {
  const { userId, orders, write } = about;
  const ids = new Set<string>();
  const orderColumn = personal === 'account' ? undefined : personal.orderColumn;
  if (personal !== 'account')
    for await (const found of idsAbout(db, personal, { userId, orders })) {
      for (const id of found) ids.add(id);
      yield rowsToFindOne * found.length;
    }
  const take = (rows: readonly Row[]) => {
    if (orderColumn !== undefined) for (const row of rows) orders.add(String(row[orderColumn]));
    return write(rows);
  };
  // Of a room all lines are read, and those that others have written are left out.
  const rowsToReadOne = personal !== 'account' && personal.within === 'rooms' ? rowsToFindOne : 1;
  for (const piece of piecesOf(personal, ids))
    yield rowsToReadOne * (await longRead((tx) => readRowsAbout(tx, personal, { userId, piece }, take)));
}

/** The tables in an export, each with all that it is read by; last, what is found by the person's orders. */
const exportedTables: ReadonlyMap<string, readonly (PersonalTable | 'account')[]> = (() => {
  const found = new Map<string, (PersonalTable | 'account')[]>([['account', ['account']]]);
  const isLast = ({ within }: PersonalTable) => Number(within === 'orders');
  for (const personal of personalTables.toSorted((a, b) => isLast(a) - isLast(b)))
    if (personal.hidden !== null) found.set(personal.table, [...(found.get(personal.table) ?? []), personal]);
  return found;
})();

/** After an attempt is heard of last, another process makes the next: longer than a part takes to write. */
export const leaseMs = 2 * minuteMs;
/** How often its lease is renewed. */
const renewEveryMs = 20 * secondMs;

/** The attempt is over: the account is gone, or another process has begun the next attempt. */
export class AttemptOver extends Error {}

/** The parts of an archive on their way into the file store. */
class ArchiveParts {
  readonly #app: App;
  readonly #attempt: store.Attempt;
  readonly #archive: Archive;
  #renewedAt = performance.now();
  #written = 0;
  bytes = 0;

  constructor(app: App, attempt: store.Attempt, archive: Archive) {
    this.#app = app;
    this.#attempt = attempt;
    this.#archive = archive;
  }

  /** Writes what fills a part. Never within a transaction, which would wait for the file store. */
  async writeFull(): Promise<void> {
    while (this.#archive.waitingBytes >= partBytes) await this.#writeOne();
    if (performance.now() - this.#renewedAt > renewEveryMs) await this.#goOn(this.#written);
  }

  async writeRest(): Promise<void> {
    while (this.#archive.waitingBytes > 0) await this.#writeOne();
  }

  async #writeOne(): Promise<void> {
    // Noted before it is written, so that it is found and removed whatever happens.
    await this.#goOn(this.#written + 1);
    const { id, attempt } = this.#attempt;
    const part = this.#archive.take(partBytes);
    await this.#app.files.write(partKey(id, attempt, this.#written), part);
    this.#written += 1;
    this.bytes += part.length;
  }

  async #goOn(parts: number): Promise<void> {
    const { db, clock } = this.#app;
    const until = later(clock.now(), leaseMs);
    if (!(await store.goOn(db, this.#attempt, { parts, until }))) throw new AttemptOver();
    this.#renewedAt = performance.now();
  }
}

const deflated = 8;

/**
 * A ZIP archive that is written piece by piece. Threads compress the texts; the output is taken out as often
 * as wanted, so that no archive is in memory as a whole.
 */
class Archive {
  #written: Uint8Array[] = [];
  #error: Error | null = null;
  readonly #zip = new Zip((error, chunk) => {
    this.#error ??= error;
    if (chunk.length > 0) this.#written.push(chunk);
  });
  /** How much waits to be taken. */
  get waitingBytes(): number {
    return this.#written.reduce((sum, { length }) => sum + length, 0);
  }

  /** Adds a text, whole when `end` is called. Nothing else is added before. */
  addText(filename: string): { write(text: string): Promise<void>; end(): Promise<void> } {
    const file: ZipInputFile = { filename, size: 0, crc: 0, compression: deflated };
    this.#zip.add(file);
    const deflate = createDeflateRaw();
    deflate.on('data', (chunk: Uint8Array<ArrayBuffer>) => file.ondata?.(null, chunk, false));
    const ended = new Promise<void>((resolve, reject) => {
      deflate.once('end', resolve);
      deflate.once('error', reject);
    });
    return {
      write(text) {
        const bytes = Buffer.from(text);
        file.size += bytes.length;
        file.crc = crc32(bytes, file.crc);
        return new Promise((resolve, reject) => {
          deflate.write(bytes, (error) => (error == null ? resolve() : reject(error)));
        });
      },
      async end() {
        deflate.end();
        await ended;
        file.ondata?.(null, new Uint8Array(), true);
      },
    };
  }

  /** Adds what is compressed already. */
  addStored(filename: string, bytes: Uint8Array): void {
    const file = new ZipPassThrough(filename);
    this.#zip.add(file);
    file.push(bytes, true);
  }

  end(): void {
    this.#zip.end();
  }

  /** Takes out the first of what waits. */
  take(mostBytes: number): Buffer {
    if (this.#error !== null) throw this.#error;
    const waiting = Buffer.concat(this.#written);
    this.#written = waiting.length > mostBytes ? [waiting.subarray(mostBytes)] : [];
    return waiting.subarray(0, mostBytes);
  }
}
