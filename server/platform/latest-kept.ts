/**
 * Values by key, of which those asked for last are kept: at least `most` of them, and at most twice as many.
 */
export class LatestKept<Key, Value> {
  readonly #most: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The value that is kept under a key, or the one that is made for it now. */
  get(key: Key, make: () => Value): Value {
    const young = this.#young.get(key);
    if (young !== undefined || this.#young.has(key)) return young as Value;
    const value = this.#old.has(key) ? (this.#old.get(key) as Value) : make();
    this.keep(key, value);
    return value;
  }

  /** The value that is kept under a key; undefined where there is none. */
  known(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.keep(key, old);
    return old;
  }

  keep(key: Key, value: Value): void {
    if (this.#young.size >= this.#most && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
