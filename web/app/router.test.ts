import { pages as knownPages } from '#contract/app/pages.ts';
import common from '#locales/en/common.json' with { type: 'json' };
import { isNotFound, isRedirect } from '@tanstack/react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { PageTitle } from '../core/navigation.ts';

// What the router needs of a browser.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
vi.stubGlobal('navigator', { languages: ['en-US'], platform: 'Linux', userAgent: 'Test', vendor: '' });
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
const started = vi.fn();
vi.doMock('./start-page-reads.ts', () => ({ startPageReads: started }));
const router = (await import('./router.tsx')).appRouter();
const { guest, signIn } = await import('../core/session.ts');

const mia = { ...guest, name: 'Mia', accessToken: 'token', authed: true };
beforeEach(() => signIn(guest));

/** Where a page lets its visitor in, or leads them instead. */
function entering(path: string, query = ''): unknown {
  const routes: Record<string, { options: { beforeLoad?: unknown } }> = router.routesByPath;
  const enter = routes[path]!.options.beforeLoad as (at: { location: { href: string } }) => void;
  try {
    enter({ location: { href: path + query } });
    return 'in';
  } catch (led) {
    if (isRedirect(led)) return [led.options.to, led.options.search];
    return isNotFound(led) ? 'not there' : led;
  }
}

describe('who may open a page', () => {
  const pages = ['/', '/pages/car/car', '/pages/admin/statistics'];
  test('a guest is asked to sign in where that is needed, and brought back to where they were going', () => {
    expect(pages.map((path) => entering(path, '?id=7'))).toEqual([
      'in',
      ['/pages/auth/auth', { returnTo: '/pages/car/car?id=7' }],
      ['/pages/auth/auth', { returnTo: '/pages/admin/statistics?id=7' }],
    ]);
  });

  test('a page of the team is not there for others', () => {
    signIn(mia);
    expect(pages.map((path) => entering(path))).toEqual(['in', 'in', 'not there']);
    signIn({ ...mia, staffRole: 'auditor' });
    expect(pages.map((path) => entering(path))).toEqual(['in', 'in', 'in']);
  });

  test('a person without a profile completes it first', () => {
    signIn({ ...mia, profileMissing: true });
    expect(entering('/pages/car/car')).toEqual(['/pages/auth/profile', { returnTo: '/pages/car/car' }]);
  });
});

test('a page takes the parameters it knows, as plain text', () => {
  const id = '018f4e7a-2c3d-7a11-8b2f-0a1b2c3d4e5f';
  const routes: Record<string, { options: { validateSearch?: unknown } }> = router.routesByPath;
  const taken = routes['/pages/order/detail']!.options.validateSearch as (given: unknown) => unknown;
  const { parseSearch, stringifySearch } = router.options;
  expect(taken(parseSearch(`?id=${id}&utm_source=mail`))).toEqual({ id });
  expect(stringifySearch({ id })).toBe(`?id=${id}`);
});

test('a page on its way shows so after 200 ms', () => {
  expect(router.options.defaultPendingMs).toBe(200);
});

test('what has no title of its own has the product’s name', () => {
  const routes = Object.values(router.routesById);
  const named = routes
    .filter(({ options }) => options.staticData?.title === 'home')
    .map(({ fullPath }) => fullPath);
  expect(named.toSorted()).toEqual(['/', '/intro', '/pages/passenger/passenger']);
});

test.each([
  ['/pages/order/confirm', 'Plan your ride'],
  ['/pages/order/order', 'Rides'],
  ['/pages/order/detail', 'Ride Detail'],
  ['/pages/car/car', 'Vehicles'],
  ['/pages/account/drvinglicense', 'Driver License'],
  ['/pages/contact/contact', 'Contacts'],
  ['/pages/discover/discover', 'Discover'],
])('%s is called %s', (path, title) => {
  const routes: Record<string, { options: { staticData?: { title?: PageTitle } } }> = router.routesByPath;
  expect(common.titles[routes[path]!.options.staticData!.title!]).toBe(title);
});

test('the server knows the pages of the app, and which of them need an account', () => {
  const paths = Object.keys(router.routesByPath).filter((path) => path.startsWith('/'));
  expect(Object.keys(knownPages).toSorted()).toEqual(paths.toSorted());
});

describe('what a page reads is started', () => {
  /** What the route starts when it is opened, preloaded, or stays with other parameters. */
  async function startedBy(path: string, cause: 'enter' | 'preload' | 'stay'): Promise<number> {
    started.mockClear();
    const routes: Record<string, { options: { loader?: unknown } }> = router.routesByPath;
    const load = routes[path]!.options.loader as (context: object) => unknown;
    expect(load({ cause, location: { search: { view: 'users', utm_source: 'mail' } } })).toBeUndefined();
    return started.mock.calls.length;
  }

  test('on opening and on a touch of the link, not for a page that is open already', async () => {
    expect(await startedBy('/pages/order/order', 'enter')).toBe(1);
    expect(started).toHaveBeenCalledWith('/pages/order/order', {});
    expect(await startedBy('/pages/order/order', 'preload')).toBe(1);
    expect(await startedBy('/pages/order/order', 'stay')).toBe(0);
  });

  test('for admins on opening alone, since what they read is written down', async () => {
    expect(await startedBy('/pages/admin/admin', 'enter')).toBe(1);
    expect(started).toHaveBeenCalledWith('/pages/admin/admin', { view: 'users' });
    expect(await startedBy('/pages/admin/admin', 'preload')).toBe(0);
  });
});
