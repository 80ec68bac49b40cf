import { MovableClock } from '../platform/clock.ts';

/** A clock that changes only when it is moved: with it the same steps always happen at the same instants. */
export class StandingClock extends MovableClock {
  #at: Date;

  constructor(at: Date) {
    super();
    this.#at = at;
  }

  override now(): Date {
    return new Date(this.#at);
  }

  override get offsetMs(): number {
    return this.#at.getTime() - Date.now();
  }

  override moveTo(instant: Date | null): void {
    this.#at = instant ?? new Date();
  }

  override advance(milliseconds: number): void {
    this.#at = new Date(this.#at.getTime() + milliseconds);
  }
}
