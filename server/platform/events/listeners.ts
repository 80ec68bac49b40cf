import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { secondMs } from '../clock.ts';
import { hasWaitedTooLong, isConnectionLost, sqlState } from '../database/db.ts';
import type { KeptStatements } from '../database/kept-statements.ts';
import { asOneStatement, type StatementPart } from '../database/statement-parts.ts';
import type { Log } from '../observability/log.ts';
import type { Consumer } from './event-consumers.ts';
import { movingCursor, type LoggedSignal } from './event-log.ts';
import type { Signal, SignalName, SignalPayloads } from './signals.ts';

/** Says beforehand of which signals a listener wants to hear; `true` stands for all of that name. */
export type Concerns<N extends SignalName> = {
  [Name in N]: true | ((payload: SignalPayloads[Name]) => boolean);
};

/** A signal of one of these names. */
export type SignalOf<N extends SignalName> = N extends SignalName ? Signal<N> & { name: N } : never;

type Wants = (signal: LoggedSignal) => boolean;

interface SignalListener {
  listener: string;
  wants: Wants;
  handle: (signal: LoggedSignal) => Promise<void>;
}
interface BatchListener {
  wants: Wants;
  restMs: number;
  hear: (signals: readonly LoggedSignal[]) => Promise<void>;
}
interface Writer {
  wants: Wants;
  parts: (signals: readonly LoggedSignal[]) => Promise<readonly StatementPart[]>;
}

/** All writers share one cursor in the log under this name. */
const writers = 'writers';

/** A minute or so, in which a database has come back or will be away for long. */
const mostTriesInPlace = 80;
/**
 * A statement that has run into its limit so often will do so again: the signals are at fault, or too many.
 * With a limit of 30 seconds, one signal at fault holds up a batch of 500 for six and a half minutes: three
 * tries of the whole batch, one of each of nine smaller parts, one of the writer alone.
 */
const mostTimeouts = 3;

const keyOf = (listener: string, name: string): string => `${listener}:${name}`;

/** What listeners need of the process that calls them. */
interface Calling {
  log: Log;
  /** Keeps a signal that a listener could not hear: that one hears it again, with growing pauses. */
  keep: (listener: string, signal: LoggedSignal) => Promise<void>;
  isStopping: () => boolean;
}

/** Who hears of signals: one by one, in batches, or as writers whose batch is one statement. */
export class Listeners {
  readonly #kept: Pick<KeptStatements, 'run'>;
  readonly #single = new Map<string, SignalListener>();
  readonly #batch = new Map<string, BatchListener>();
  readonly #writers = new Map<string, Writer>();

  constructor(kept: Pick<KeptStatements, 'run'>) {
    this.#kept = kept;
  }

  on<N extends SignalName>(
    name: N,
    listener: string,
    handle: (signal: Signal<N>) => Promise<void>,
    concerns: (payload: SignalPayloads[N]) => boolean,
  ): void {
    this.#single.set(keyOf(listener, name), {
      listener,
      wants: wantsOf({ [name]: concerns } as unknown as Concerns<N>),
      // `emit` has written the payload under this name.
      handle: ({ payload, ...signal }) => handle({ ...signal, payload: payload as SignalPayloads[N] }),
    });
  }

  hearBatch<N extends SignalName>(
    listener: string,
    concerns: Concerns<N>,
    hear: (signals: readonly SignalOf<N>[]) => Promise<void>,
    { restMs }: { restMs: number },
  ): void {
    this.#batch.set(listener, {
      wants: wantsOf(concerns),
      restMs,
      hear: (signals) => hear(signals as unknown as SignalOf<N>[]),
    });
  }

  writeBatch<N extends SignalName>(
    writer: string,
    concerns: Concerns<N>,
    parts: (signals: readonly SignalOf<N>[]) => Promise<readonly StatementPart[]>,
  ): void {
    this.#writers.set(writer, {
      wants: wantsOf(concerns),
      parts: (signals) => parts(signals as unknown as SignalOf<N>[]),
    });
  }

  off(listener: string): void {
    for (const [key, each] of this.#single) if (each.listener === listener) this.#single.delete(key);
    this.#batch.delete(listener);
    this.#writers.delete(listener);
  }

  /** The names of all that has a cursor in the log. */
  get consumerNames(): string[] {
    const single = [...this.#single.values()].map(({ listener }) => listener);
    return [...new Set([...single, ...this.#batch.keys(), ...(this.#writers.size > 0 ? [writers] : [])])];
  }

  /** @param atATime how many signals are heard one by one at the same moment: each may take a connection */
  consumers(calling: Calling, atATime: number): Consumer[] {
    const inTurn = pLimit(atATime);
    return this.consumerNames.map((name): Consumer => {
      const batch = this.#batch.get(name);
      if (batch !== undefined)
        return {
          name,
          wants: batch.wants,
          restMs: batch.restMs,
          savesLate: true,
          hear: async (signals) => {
            await this.#apart(calling, signals, {
              hear: batch.hear,
              failed: (signal, error) => keepFailed(calling, name, signal, error),
            });
            return false;
          },
        };
      if (name === writers)
        return {
          name,
          wants: (signal) => [...this.#writers.values()].some((each) => each.wants(signal)),
          restMs: 0,
          savesLate: true,
          hear: (signals, position) => this.#write(calling, signals, position),
        };
      return {
        name,
        wants: (signal) => this.#single.get(keyOf(name, signal.name))?.wants(signal) ?? false,
        restMs: 0,
        savesLate: false,
        hear: async (signals) => {
          await inOrderOfKeys(signals, atATime === 1, (signal) =>
            inTurn(async () => {
              try {
                await inPlace(calling, () => this.hearAgain(name, signal));
              } catch (error) {
                await keepFailed(calling, name, signal, error);
              }
            }),
          );
          return false;
        },
      };
    });
  }

  /** Lets one listener hear one signal. A newer version may have removed the listener. */
  async hearAgain(listener: string, signal: LoggedSignal): Promise<void> {
    const writer = this.#writers.get(listener);
    if (writer?.wants(signal) === true) await this.#run(await writer.parts([signal]));
    const batch = this.#batch.get(listener);
    if (batch?.wants(signal) === true) await batch.hear([signal]);
    await this.#single.get(keyOf(listener, signal.name))?.handle(signal);
  }

  /** What all writers make of a batch is one statement, in which their cursor moves too. */
  async #write(calling: Calling, signals: readonly LoggedSignal[], position: bigint): Promise<boolean> {
    let isSaved = false;
    await this.#apart(calling, signals, {
      hear: async (some) => {
        const parts = await Promise.all([...this.#writers.values()].map((writer) => partsOf(writer, some)));
        // Where the batch was broken into pieces, its cursor waits for all of them.
        const isWhole = some.length === signals.length;
        if (parts.every((each) => each.length === 0)) return;
        await this.#run([...parts.flat(), ...(isWhole ? [movingCursor(writers, position)] : [])]);
        isSaved = isWhole;
      },
      failed: async (signal) => {
        for (const [name, writer] of this.#writers)
          if (writer.wants(signal))
            await inPlace(calling, () => this.hearAgain(name, signal), { isPart: true }).catch(
              (error: unknown) => keepFailed(calling, name, signal, error),
            );
      },
    });
    return isSaved;
  }

  async #run(parts: readonly StatementPart[]): Promise<void> {
    if (parts.length > 0) await this.#kept.run(asOneStatement(parts));
  }

  /**
   * Hears a batch; where that fails, its halves, one after the other, until the signal at fault is alone:
   * those around it are heard in their order, and it is kept for later.
   */
  async #apart(
    calling: Calling,
    signals: readonly LoggedSignal[],
    of: {
      hear: (some: readonly LoggedSignal[]) => Promise<void>;
      failed: (signal: LoggedSignal, error: unknown) => Promise<void>;
      isPart?: boolean;
    },
  ): Promise<void> {
    try {
      await inPlace(calling, () => of.hear(signals), of);
    } catch (error) {
      const [first, ...others] = signals;
      if (first === undefined) return;
      if (others.length === 0) return of.failed(first, error);
      const half = signals.length >> 1;
      await this.#apart(calling, signals.slice(0, half), { ...of, isPart: true });
      await this.#apart(calling, signals.slice(half), { ...of, isPart: true });
    }
  }
}

const wantsOf =
  <N extends SignalName>(concerns: Concerns<N>): Wants =>
  ({ name, payload }) => {
    const concern = (concerns as Partial<Record<string, true | ((payload: unknown) => boolean)>>)[name];
    return concern === true || concern?.(payload) === true;
  };

async function partsOf(writer: Writer, signals: readonly LoggedSignal[]): Promise<readonly StatementPart[]> {
  const wanted = signals.filter(writer.wants);
  return wanted.length === 0 ? [] : writer.parts(wanted);
}

async function keepFailed(
  { log, keep }: Calling,
  listener: string,
  signal: LoggedSignal,
  error: unknown,
): Promise<void> {
  log.error({ err: error, listener, signal: signal.id }, 'a listener failed; it is called again');
  await keep(listener, signal);
}

/**
 * A signal that fails is put behind those that came after it. While the database is at fault nothing else
 * could be heard either, so it is tried again where it stands, and the order of its key is kept.
 * @param of.isPart a larger batch has been tried already: waiting too long is not tried again
 */
export async function inPlace<T>(
  { isStopping }: Pick<Calling, 'isStopping'>,
  work: () => Promise<T>,
  { isPart = false }: { isPart?: boolean } = {},
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried >= mostTries(error, isPart) || isStopping()) throw error;
      await pause(Math.min(50 * tried, secondMs));
    }
  }
}

function mostTries(error: unknown, isPart: boolean): number {
  if (isConnectionLost(error)) return mostTriesInPlace;
  if (!hasWaitedTooLong(error) || isPart) return 1;
  return sqlState(error) === '57014' ? mostTimeouts : mostTriesInPlace;
}

/**
 * Signals of one key one after another, in the order of their commits; those of different keys side by side.
 * @param isOneByOne all of them one after another, as if they had one key
 */
async function inOrderOfKeys(
  signals: readonly LoggedSignal[],
  isOneByOne: boolean,
  hear: (signal: LoggedSignal) => Promise<void>,
): Promise<void> {
  const last = new Map<string, Promise<void>>();
  for (const signal of signals) {
    const key = isOneByOne ? '' : signal.key;
    last.set(
      key,
      (last.get(key) ?? Promise.resolve()).then(() => hear(signal)),
    );
  }
  // The others come to their end before all of them are heard again.
  const ends = await Promise.allSettled(last.values());
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
