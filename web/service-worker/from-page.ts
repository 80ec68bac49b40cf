/** What a page asks of the worker, beside workbox's own `SKIP_WAITING`. */
export type FromPage = KeepFiles | HoldsFiles;

/** To keep the files it has used, or everything the app is made of. */
export interface KeepFiles {
  type: 'KEEP_FILES';
  /** Paths of the files that this page has loaded: those of a first visit came before there was a worker. */
  used: string[];
  everything: boolean;
}

/** Whether these files belong to the worker's version. The answer, a boolean, comes over the port. */
export interface HoldsFiles {
  type: 'HOLDS_FILES';
  names: string[];
}

/** Reads a message; null where it is none of these, as one of another version may be. */
export function readFromPage(data: unknown): FromPage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { type, used, everything, names } = data as Partial<Record<string, unknown>>;
  if (type === 'KEEP_FILES' && isNames(used) && typeof everything === 'boolean')
    return { type, used, everything };
  return type === 'HOLDS_FILES' && isNames(names) ? { type, names } : null;
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');
