import { beforeEach, describe, expect, test, vi } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { config } from '#contract/app/endpoints.ts';

vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
vi.stubGlobal('navigator', { languages: ['en-US'], platform: 'Linux', userAgent: 'Test', onLine: true });
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
const asked: string[] = [];
vi.stubGlobal('fetch', (address: string) => {
  asked.push(new URL(address, 'http://localhost').pathname);
  return new Promise(() => {});
});
const { pageReads } = await import('./page-reads.ts');
const { startPageReads } = await import('./start-page-reads.ts');
const { keyOf } = await import('../core/queries.ts');
const { queryClient } = await import('../core/query-client.ts');
const { parsePageSearch } = await import('../core/page-search.ts');
const { guest, signIn } = await import('../core/session.ts');
type PagePath = keyof typeof pageReads;

const mia = { ...guest, name: 'Mia', accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 };
const id = '018f4e7a-2c3d-7a11-8b2f-0a1b2c3d4e5f';
const other = '00000000-0000-4000-8000-000000000000';
/** Addresses that say all that makes pages read something else. */
const everything: readonly Record<string, string>[] = [
  {},
  ...['id', 'roomid', 'receipt', 'edit', 'propose', 'series', 'eventId'].map((name) => ({ [name]: id })),
  { id, bookingId: id, token: 'secret', stage: 'Matching', role: 'driver', view: 'earn', code: 'abc' },
  { id: 'SW-7KQ2M9', of: 'driver', view: 'around', role: 'passenger' },
  { rideId: id, requestId: other, of: 'contacts', view: 'people', text: 'mia' },
  ...['ways', 'alerts', 'users', 'tickets', 'disputes', 'money', 'broken', 'audit'].map((view) => ({ view })),
];
const paths = Object.keys(pageReads) as PagePath[];

beforeEach(() => {
  asked.length = 0;
  queryClient.clear();
  queryClient.setQueryData(keyOf(config, {}), { region: { center: [-122, 37] } });
  signIn(mia);
});

const readsOf = (path: PagePath, given: Record<string, string>) =>
  pageReads[path](parsePageSearch(path, given), { language: 'en', center: [-122, 37] });

describe('what a page reads beside its code', () => {
  test.each(paths)('%s names calls of the contract, with an input that they take, each once', (path) => {
    for (const search of everything) {
      const reads = readsOf(path, search);
      for (const { endpoint, input, isPaginated } of reads) {
        expect(allEndpoints).toContain(endpoint);
        expect(endpoint.method).toBe('GET');
        expect(endpoint.input.safeParse(input).error).toBeUndefined();
        expect('offset' in endpoint.input.shape || !isPaginated, endpoint.path).toBe(true);
      }
      const keys = reads.map(({ endpoint, input, isPaginated }) =>
        JSON.stringify([endpoint.path, input, isPaginated]),
      );
      expect(keys).toEqual([...new Set(keys)]);
    }
  });

  test('a guest starts none that needs a person, nor does a person without a profile', async () => {
    for (const user of [guest, { ...mia, profileMissing: true }]) {
      signIn(user);
      startPageReads('/pages/events/events', { id });
      startPageReads('/', {});
    }
    await vi.waitFor(() => expect(asked).toEqual(['/event/detail', '/event/rides']));
  });

  test('what is on its way or fresh is not asked for again', async () => {
    queryClient.setQueryData(['/order/timeline', { id }], {});
    startPageReads('/pages/order/detail', { id });
    startPageReads('/pages/order/detail', { id });
    await vi.waitFor(() => expect(asked).toEqual(['/order/detail', '/payment/config']));
  });

  test('without an id there is nothing to read', () => {
    for (const path of ['/pages/order/detail', '/pages/order/match', '/pages/chat/message'] as const)
      expect(readsOf(path, { id: '1', roomid: "' or 1=1" })).toEqual([]);
  });
});
