/** A value kept in this browser: read once, written through, and followed across tabs. */
export interface Stored<T> {
  read: () => T;
  write: (value: T) => void;
  /** Reads again from the browser's storage, for values another tab may just have written. */
  reread: () => T;
  subscribe: (listener: () => void) => () => void;
}

/** Keeps a value under a name; `parse` turns whatever was stored, or null, into a sound value. */
export function stored<T>(name: string, parse: (raw: unknown) => T): Stored<T> {
  const key = `sameway.${name}`;
  const listeners = new Set<() => void>();

  const load = (): T => {
    try {
      const raw = localStorage.getItem(key);
      return parse(raw === null ? null : (JSON.parse(raw) as unknown));
    } catch {
      // Private windows can refuse storage and old versions can leave nonsense: both mean "nothing kept".
      return parse(null);
    }
  };

  let current = load();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return;
    current = load();
    tell();
  });

  return {
    read: () => current,
    write: (value) => {
      current = value;
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch {
        // The value still serves this tab.
      }
      tell();
    },
    reread: () => {
      current = load();
      return current;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
