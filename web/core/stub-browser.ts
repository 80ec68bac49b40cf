import type * as React from 'react';
import { vi } from 'vitest';

/**
 * What the app needs of a browser to make calls, for tests without one; to be called before what makes them
 * is imported.
 */
export function stubBrowser(): void {
  const kept = new Map<string, string>();
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('navigator', { languages: ['en-US'] });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal('document', { documentElement: {}, querySelector: () => null });
}

/** React whose stores are drawn on a server as in a browser, for `vi.mock('react', …)`. */
export const withServerSnapshots = (react: typeof React): typeof React => ({
  ...react,
  useSyncExternalStore: (subscribe, snapshot) => react.useSyncExternalStore(subscribe, snapshot, snapshot),
});

/** Replaces `fetch` and records what the server is asked. */
export const asked = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();

/** A vehicle as its form sends it. */
export const car = {
  plate: '8ABC123',
  brand: 'Toyota',
  model: 'Prius',
  type: 'hatchback',
  year: 2021,
  color: 'blue',
  seats: 4,
} as const;
