/** Arrays by name: the form of an index on disk. */
export type Stored = Record<string, Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>;

/** Something that holds arrays, stores them, and fills itself with them while it is empty. */
export interface Part {
  readonly bytes: number;
  store(): Stored;
  restore(stored: Stored): void;
}

/**
 * Several parts as one, the names of each behind its own. They are restored in this order: one that counts
 * rows comes before those that have them.
 */
export function partsOf(parts: Readonly<Record<string, Part>>): Part {
  const all = Object.entries(parts);
  return {
    get bytes() {
      return all.reduce((sum, [, { bytes }]) => sum + bytes, 0);
    },
    store: () =>
      Object.fromEntries(
        all.flatMap(([name, part]) =>
          Object.entries(part.store()).map(([array, values]) => [`${name}.${array}`, values]),
        ),
      ),
    restore(stored) {
      for (const [name, part] of all) {
        const own = Object.entries(stored).filter(([array]) => array.startsWith(`${name}.`));
        part.restore(
          Object.fromEntries(own.map(([array, values]) => [array.slice(name.length + 1), values])),
        );
      }
    },
  };
}
