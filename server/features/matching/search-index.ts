import { Refusal } from '../../platform/refusal.ts';
import type { Ask, PairAsk } from './engine/engine.ts';
import type { Answer, PairVerdict } from './engine/entries.ts';

/** All open orders, to be asked: in a thread of this process, or in matching processes. */
export interface SearchIndex {
  /** Answers on everything committed before the call. */
  ask(ask: Ask): Promise<Answer>;
  /** The same for several, one after another, so that others' questions are answered between them. */
  askInTurn(asks: readonly Ask[]): Promise<Answer[]>;
  /** Judges pairs that are not in the index. */
  judge(ask: PairAsk): Promise<PairVerdict[]>;
  /** Catches up soon, on a signal, before the next question. */
  wake(): void;
  /** Resolves when questions can be answered; `isReady` is false until then. */
  warm(): Promise<void>;
  readonly isReady: boolean;
  /**
   * Waits a moment for an index that is warming up.
   * @throws Refusal when that takes longer than a person waits for an answer.
   */
  soon(): Promise<void>;
  close(): Promise<void>;
}

/** How long a search waits for an index that is not ready. */
export const soonMs = 2_000;

export const gettingReady = (): Refusal =>
  new Refusal('server.gettingReady', 'Sameway is starting up. Please try again in a few seconds.', {
    code: 429,
    data: { retryAfterSeconds: 5 },
  });
