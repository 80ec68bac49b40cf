import { setTimeout as pause } from 'node:timers/promises';
import { secondMs } from '../clock.ts';
import { hasWaitedTooLong, isConnectionLost, sqlState } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import type { Consumer } from './event-consumers.ts';
import type { LoggedSignal } from './event-log.ts';
import type { Signal, SignalName, SignalPayloads } from './signals.ts';

/** The signals that a listener wants to hear; `true` stands for all of that name. */
export type Concerns<N extends SignalName> = {
  [Name in N]: true | ((payload: SignalPayloads[Name]) => boolean);
};

/** A signal of one of these names. */
export type SignalOf<N extends SignalName> = N extends SignalName ? Signal<N> & { name: N } : never;

interface Listener {
  wants: (signal: LoggedSignal) => boolean;
  restMs: number;
  hear: (signals: readonly LoggedSignal[]) => Promise<void>;
}

/** A minute or so: by then a database is back, or will be away for long. */
const mostTriesInPlace = 80;
/**
 * Tries of a statement that runs into its limit: the signals are at fault, or too many. With a limit of 30
 * seconds, one signal at fault holds up its listener for two minutes: three tries of the batch, and one of
 * the signal alone.
 */
const mostTimeouts = 3;

/** The part of the calling process that listeners need. */
interface Calling {
  log: Log;
  /** Keeps a signal that a listener could not hear: that one hears it again, with growing pauses. */
  keep: (listener: string, signal: LoggedSignal) => Promise<void>;
  isStopping: () => boolean;
}

/** Those who hear signals: all of a batch together, in the order of the log. */
export class Listeners {
  readonly #all = new Map<string, Listener>();

  listen<N extends SignalName>(
    name: string,
    concerns: Concerns<N>,
    hear: (signals: readonly SignalOf<N>[]) => Promise<void>,
    { restMs }: { restMs: number },
  ): void {
    this.#all.set(name, {
      wants: wantsOf(concerns),
      restMs,
      // `emit` has written each payload under the name of its signal.
      hear: (signals) => hear(signals as unknown as SignalOf<N>[]),
    });
  }

  off(name: string): void {
    this.#all.delete(name);
  }

  /** Each has a cursor in the log under its name. */
  get names(): string[] {
    return [...this.#all.keys()];
  }

  consumers(calling: Calling): Consumer[] {
    return [...this.#all].map(([name, { wants, restMs, hear }]) => ({
      name,
      wants,
      restMs,
      hear: (signals) => hearBatch(calling, { name, hear }, signals),
    }));
  }

  /** Lets one listener hear one signal. A newer version may have removed the listener. */
  async hearAgain(name: string, signal: LoggedSignal): Promise<void> {
    const listener = this.#all.get(name);
    if (listener?.wants(signal) === true) await listener.hear([signal]);
  }
}

/**
 * Calls a listener with a batch; where that fails, with one signal after another: those at fault are stored
 * for a retry, and the others are handled in their order.
 */
async function hearBatch(
  calling: Calling,
  { name, hear }: Pick<Listener, 'hear'> & { name: string },
  signals: readonly LoggedSignal[],
): Promise<void> {
  const keepFailed = async (signal: LoggedSignal, error: unknown) => {
    calling.log.error(
      { err: error, listener: name, signal: signal.id },
      'a listener failed; it is called again',
    );
    await calling.keep(name, signal);
  };
  try {
    await inPlace(calling, () => hear(signals));
  } catch (error) {
    if (signals.length === 1) return keepFailed(signals[0]!, error);
    for (const signal of signals)
      await inPlace(calling, () => hear([signal]), { isPart: true }).catch((failure: unknown) =>
        keepFailed(signal, failure),
      );
  }
}

const wantsOf =
  <N extends SignalName>(concerns: Concerns<N>): Listener['wants'] =>
  ({ name, payload }) => {
    const concern = (concerns as Partial<Record<string, true | ((payload: unknown) => boolean)>>)[name];
    return concern === true || concern?.(payload) === true;
  };

/**
 * A signal that fails is handled after those that came later. While the database is at fault, nothing else
 * could be handled either, so the same work is repeated, and the order of keys stays.
 * @param of.isPart a larger batch has been tried already: a timeout is not tried again
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
