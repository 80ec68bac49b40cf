import { createDeflateRaw, crc32 } from 'node:zlib';
import { Zip, ZipPassThrough, type ZipInputFile } from 'fflate';

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
