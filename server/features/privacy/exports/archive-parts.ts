import type { App } from '../../../app-type.ts';
import { later, minuteMs, secondMs } from '../../../platform/clock.ts';
import type { Archive } from './archive.ts';
import { partBytes, partKey } from './export-files.ts';
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
