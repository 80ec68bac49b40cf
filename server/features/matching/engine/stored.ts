/** Arrays by name: the form of an index on disk. */
export type Stored = Record<string, Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>;

/** Several parts as one, the names of each behind its own. */
export function joined(parts: Record<string, Stored>): Stored {
  const all: Stored = {};
  for (const [part, arrays] of Object.entries(parts))
    for (const [name, array] of Object.entries(arrays)) all[`${part}.${name}`] = array;
  return all;
}

/** One part of a whole. */
export function partOf(all: Stored, part: string): Stored {
  const arrays: Stored = {};
  for (const [name, array] of Object.entries(all))
    if (name.startsWith(`${part}.`)) arrays[name.slice(part.length + 1)] = array;
  return arrays;
}
