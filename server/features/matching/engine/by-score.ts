/** Slots by a score that theirs is not below, lowest first. */
export class ByScore {
  count = 0;
  /** The score in steps, and the position below it: numbers sort much faster than objects. */
  private keys = new Float64Array(1_024);
  private slots = new Uint32Array(1_024);
  private sure = new Uint8Array(1_024);

  clear(): void {
    this.count = 0;
  }

  /**
   * @param atLeast 0 or more; what is no number comes first.
   * @param fits whether the order surely fits.
   */
  add(slot: number, atLeast: number, fits: boolean): void {
    const at = this.count++;
    if (at >= this.slots.length) this.grow();
    this.slots[at] = slot;
    this.sure[at] = fits ? 1 : 0;
    const step = atLeast > 0 ? Math.min(Math.floor(atLeast * steps), mostSteps) : 0;
    this.keys[at] = step * positions + at;
  }

  sort(): void {
    this.keys.subarray(0, this.count).sort();
  }

  slot(rank: number): number {
    return this.slots[this.position(rank)]!;
  }

  /** Whether it surely fits; otherwise nothing is known. */
  fits(rank: number): boolean {
    return this.sure[this.position(rank)] === 1;
  }

  /** Rounded down: what was given is at most a step above. */
  atLeast(rank: number): number {
    return Math.floor(this.keys[rank]! / positions) / steps;
  }

  private position(rank: number): number {
    const key = this.keys[rank]!;
    return key - Math.floor(key / positions) * positions;
  }

  private grow(): void {
    const { keys, slots, sure } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.keys.set(keys);
    this.slots = new Uint32Array(slots.length * 2);
    this.slots.set(slots);
    this.sure = new Uint8Array(sure.length * 2);
    this.sure.set(sure);
  }
}

const steps = 2 ** 8;
/** Below this many positions and steps a key is a whole number of 53 bits. */
const positions = 2 ** 24;
const mostSteps = 2 ** 29 - 1;
