import { createRequire } from 'node:module';

/** The parts of a browser that the app reads while it is drawn, without what a person has done in it. */
export interface BrowserStandIn {
  isDesktop: boolean;
}

type FollowStore = (subscribe: unknown, read: () => unknown, readOnServer?: () => unknown) => unknown;

/**
 * Replaces a browser where the build renders pages to HTML. Call it before the first import of React, which
 * reads its names once.
 */
export function standInForBrowser(): BrowserStandIn {
  const standIn: BrowserStandIn = { isDesktop: false };
  const nothing = () => {};
  const parts: Record<string, unknown> = {
    addEventListener: nothing,
    removeEventListener: nothing,
    innerHeight: 844,
    getComputedStyle: () => ({ fontSize: '16px' }),
    location: { origin: 'http://localhost', pathname: '/', search: '', hash: '', href: 'http://localhost/' },
    localStorage: { getItem: () => null, setItem: nothing, removeItem: nothing },
    matchMedia: (query: string) => ({
      get matches() {
        return standIn.isDesktop && query.includes('min-width: 64rem');
      },
      addEventListener: nothing,
      removeEventListener: nothing,
    }),
    document: {
      documentElement: {},
      querySelector: () => null,
      querySelectorAll: () => [],
      addEventListener: nothing,
      // The map is drawn by a browser that has said whether it can.
      createElement: () => ({ getContext: () => ({}) }),
    },
  };
  for (const [name, value] of Object.entries(parts))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

  // A store's value here is its first value in a browser.
  const react = createRequire(import.meta.url)('react') as { useSyncExternalStore: FollowStore };
  const follow = react.useSyncExternalStore;
  react.useSyncExternalStore = (subscribe, read, readOnServer = read) =>
    follow(subscribe, read, readOnServer);
  return standIn;
}
