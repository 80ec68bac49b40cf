/** The only source of "now" in the server; tests and the demo move it. */
export interface Clock {
  now(): Date;
}

/** A clock that can be moved ahead of the real one (demo) or set (tests). */
export class MovableClock implements Clock {
  #offsetMs: number;

  constructor(offsetMs = 0) {
    this.#offsetMs = offsetMs;
  }

  now(): Date {
    return new Date(Date.now() + this.#offsetMs);
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /**
   * Makes `now()` return this instant from now on, running on from there; null goes back to the real time.
   */
  moveTo(instant: Date | null): void {
    this.#offsetMs = instant === null ? 0 : instant.getTime() - Date.now();
  }

  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
  }
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const later = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);
