import { createDeflateRaw, crc32 } from 'node:zlib';
import { Zip, ZipPassThrough, type ZipInputFile } from 'fflate';
import type { App } from '../../../app-type.ts';
import { later, minuteMs, secondMs } from '../../../platform/clock.ts';
import { partBytes, partKey } from './ask-export.ts';
import * as store from './store.ts';

/** After an attempt is heard of last, another process makes the next: longer than a part takes to write. */
export const leaseMs = 2 * minuteMs;
/** How often its lease is renewed. */
const renewEveryMs = 20 * secondMs;

/** The attempt is over: the account is gone, or another process has begun the next attempt. */
export class AttemptOver extends Error {}

/** The parts of an archive on their way into the file store. */
export class ArchiveParts {
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
export class Archive {
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
