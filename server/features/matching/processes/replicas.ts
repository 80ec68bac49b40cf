import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../platform/observability/log.ts';
import { gettingReady, soonMs } from '../search-index.ts';
import {
  bearerOf,
  dialectHeader,
  read,
  readyPath,
  write,
  type QuestionKind,
  type Questions,
} from './wire.ts';

/**
 * One that has not answered after the first may hang: the next one is asked too. After the second it is given
 * up.
 */
const usualPatience = { nextAfterMs: 1_500, giveUpAfterMs: 20_000 };
/** Time limit for an answer on whether a replica is ready, which needs no work. */
const readyWithinMs = 5_000;
/** How often a failed replica is asked whether it is ready; it gets no question until it is. */
const probeEveryMs = 500;
const tryAgainMs = 100;

interface Replica {
  url: string;
  /** Asking whether it is ready again; null while it is given questions. */
  probe: NodeJS.Timeout | null;
}

/** A question as it is posted. */
interface Posted {
  kind: QuestionKind;
  body: Buffer<ArrayBuffer>;
}

interface ReplicaOptions {
  urls: readonly string[];
  secret: string;
  dialect: string;
  log: Log;
  patience?: typeof usualPatience;
}

/**
 * Matching processes that hold the same open orders. They are asked in turn; one that fails is left out until
 * it says that it is ready, and its question goes to the next.
 */
export class Replicas {
  readonly #replicas: readonly Replica[];
  readonly #headers: Record<string, string>;
  readonly #log: Log;
  readonly #patience: typeof usualPatience;
  #next = 0;
  #isClosed = false;

  constructor({ urls, secret, dialect, log, patience = usualPatience }: ReplicaOptions) {
    this.#replicas = urls.map((url) => ({ url, probe: null }));
    this.#headers = { authorization: bearerOf(secret), [dialectHeader]: dialect };
    this.#log = log;
    this.#patience = patience;
  }

  /** @throws Refusal `server.gettingReady` where none has answered for as long as a person waits. */
  async ask<K extends QuestionKind>(
    kind: K,
    question: Questions[K]['question'],
  ): Promise<Questions[K]['answer']> {
    const body = write(question);
    const untilMs = performance.now() + soonMs;
    do {
      const answer = await this.#first({ kind, body });
      if (answer !== null) return read(answer) as Questions[K]['answer'];
      await sleep(tryAgainMs);
    } while (!this.#isClosed && performance.now() < untilMs);
    throw gettingReady();
  }

  /** Resolves when one of them is ready. */
  async untilReady(): Promise<void> {
    while (!this.#isClosed) {
      for (const replica of this.#replicas) if (await this.#isReady(replica)) return;
      await sleep(probeEveryMs, undefined, { ref: false });
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { probe } of this.#replicas) clearTimeout(probe ?? undefined);
  }

  /** Those that are ready, as far as is known, each first in its turn; all where none is. */
  #inTurn(): Replica[] {
    const ready = this.#replicas.filter(({ probe }) => probe === null);
    const some = ready.length > 0 ? ready : this.#replicas;
    const first = this.#next++ % some.length;
    return [...some.slice(first), ...some.slice(0, first)];
  }

  /** The first answer; null where all have failed. */
  async #first(of: Posted): Promise<Buffer | null> {
    const asked: Promise<Buffer>[] = [];
    const firstOfAsked = () => Promise.any(asked).catch(() => null);
    for (const replica of this.#inTurn()) {
      asked.push(this.#call(replica, of));
      const late = sleep(this.#patience.nextAfterMs, 'late' as const, { ref: false });
      const answer = await Promise.race([firstOfAsked(), late]);
      if (answer === 'late') this.#leaveOut(replica, 'it takes long');
      else if (answer !== null) return answer;
    }
    return firstOfAsked();
  }

  /** @throws Error where it does not answer, which leaves it out. */
  async #call(replica: Replica, of: Posted): Promise<Buffer> {
    try {
      const response = await fetch(`${replica.url}/${of.kind}`, {
        method: 'POST',
        headers: this.#headers,
        body: of.body,
        redirect: 'error',
        signal: AbortSignal.timeout(this.#patience.giveUpAfterMs),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.status !== 200) throw new Error(`it answers ${response.status}`);
      return bytes;
    } catch (error) {
      this.#leaveOut(replica, error);
      throw error;
    }
  }

  #leaveOut(replica: Replica, why: unknown): void {
    if (replica.probe !== null || this.#isClosed) return;
    this.#log.warn({ err: why, url: replica.url }, 'a matching process is left out until it is ready');
    this.#probeLater(replica);
  }

  #probeLater(replica: Replica): void {
    const probe = async () => {
      const isReady = await this.#isReady(replica);
      if (this.#isClosed) return;
      if (!isReady) return this.#probeLater(replica);
      replica.probe = null;
      this.#log.info({ url: replica.url }, 'a matching process is ready again');
    };
    replica.probe = setTimeout(() => void probe(), probeEveryMs).unref();
  }

  async #isReady({ url }: Replica): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(readyWithinMs);
      const response = await fetch(url + readyPath, { headers: this.#headers, redirect: 'error', signal });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false;
    }
  }
}
