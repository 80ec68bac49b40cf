/**
 * What has changed in some collections, so that a piece of work can be undone without a copy of all of them
 * beforehand: most works change a few entries of hundreds.
 */
export class UndoLog {
  #undoes: (() => void)[] = [];

  set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const was = map.get(key);
    const isNew = was === undefined && !map.has(key);
    map.set(key, value);
    this.#undoes.push(isNew ? () => map.delete(key) : () => map.set(key, was!));
  }

  add<K>(set: Set<K>, key: K): void {
    if (set.has(key)) return;
    set.add(key);
    this.#undoes.push(() => set.delete(key));
  }

  /**
   * Removes an entry; an undo brings it back, in a map to its place among the others.
   * @returns whether there was one
   */
  delete<K, V>(from: Map<K, V> | Set<K>, key: K): boolean {
    if (!from.has(key)) return false;
    this.#undoes.push(from instanceof Map ? refilling(from) : () => from.add(key));
    return from.delete(key);
  }

  /** @returns what brings everything back to how it is now, if nothing was written since */
  mark(): () => void {
    const { length } = this.#undoes;
    return () => {
      while (this.#undoes.length > length) this.#undoes.pop()!();
    };
  }

  /** Nothing before this is undone any more. */
  clear(): void {
    this.#undoes = [];
  }
}

/** What gives a map the entries that it has now, in their order. */
function refilling<K, V>(map: Map<K, V>): () => void {
  const before = [...map];
  return () => {
    map.clear();
    for (const [key, value] of before) map.set(key, value);
  };
}
