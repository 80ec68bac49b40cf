/** A value stored in this browser: read once, written through, and followed across tabs. */
export interface Stored<T> {
  read: () => T;
  write: (value: T) => void;
  /** Reads again from the browser's storage, for values another tab may just have written. */
  reread: () => T;
  subscribe: (listener: () => void) => () => void;
}

const prefix = 'sameway.';

/** What belongs to the device and says nothing about a person; everything else goes when they sign out. */
const ofDevice: readonly string[] = [
  'language',
  'introSeen',
  'upgradeIgnored',
  'firstLaunch',
  'installation',
  'renewedAt',
  'closedAnnouncements',
];

const forgetters = new Map<string, () => void>();

/**
 * Deletes what this browser's storage has of a person, in every tab; values in use become those of an empty
 * storage.
 * @param spared names that stay.
 */
export function forgetStored(spared: readonly string[] = []): void {
  const stays = [...ofDevice, ...spared].map((name) => prefix + name);
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      const kept = storage();
      for (const key of Object.keys(kept))
        if (key.startsWith(prefix) && !stays.includes(key)) kept.removeItem(key);
    } catch {
      // A private window without storage holds nothing.
    }
  }
  for (const [key, forget] of forgetters) if (!stays.includes(key)) forget();
}

/** Keeps a value under a name; `parse` turns whatever was stored, or null, into a sound value. */
export function stored<T>(name: string, parse: (raw: unknown) => T): Stored<T> {
  const key = prefix + name;
  const listeners = new Set<() => void>();

  const load = (): T => {
    try {
      const raw = localStorage.getItem(key);
      return parse(raw === null ? null : (JSON.parse(raw) as unknown));
    } catch {
      // Private windows can refuse storage and old versions can leave nonsense: both mean that nothing is
      // stored.
      return parse(null);
    }
  };

  let current = load();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  forgetters.set(key, () => {
    current = parse(null);
    tell();
  });
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
