import { setTimeout as pause } from 'node:timers/promises';

/**
 * Limits the calls a second, counted by the machine's own clock, because the provider counts by its own:
 * further calls wait their turn. A second's calls may come at once.
 */
export class CallBudget {
  readonly #perSecond: number;
  /** When the next call may be made, in milliseconds of this process. */
  #nextMs = -Infinity;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Waits until a call may be made, and counts it. */
  async take(nowMs = performance.now()): Promise<void> {
    const waitMs = this.reserve(nowMs);
    if (waitMs > 0) await pause(waitMs);
  }

  /** Counts a call. @returns how long it has to wait. */
  reserve(nowMs: number): number {
    if (this.#perSecond === Infinity) return 0;
    this.#nextMs = Math.max(this.#nextMs, nowMs - 1000) + 1000 / this.#perSecond;
    return Math.max(0, this.#nextMs - nowMs);
  }
}
