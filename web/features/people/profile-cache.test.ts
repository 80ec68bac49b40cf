import { expect, test, vi } from 'vitest';
import type { Profile } from '#contract/user/endpoints.ts';

// What a session needs of a browser.
const kept = new Map<string, string>();
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en-US'] });
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});
const asked = vi.fn<(url: string) => Promise<Response>>();
vi.stubGlobal('fetch', asked);
const { guest, readSession, signIn } = await import('../../core/session.ts');
const { cacheProfile: tookProfile } = await import('./profile-cache.ts');

const mia = {
  ...guest,
  id: 'mia',
  accessToken: 'token',
  refreshToken: 'refresh',
  authed: true,
  expiresAt: Date.now() + 3_600_000,
};
const number = { phone: '+442079460958', phoneNumber: '2079460958', phoneRegion: '+44' };

test('a changed phone renews the session, so that its number and region are those of the server', async () => {
  asked.mockImplementation(async () =>
    Response.json({ code: 200, info: 'OK', data: { ...mia, ...number, accessToken: 'fresh' } }),
  );
  signIn(mia);
  tookProfile({ name: 'Mia', phone: number.phone } as Profile);
  await vi.waitFor(() => expect(readSession()).toMatchObject({ ...number, accessToken: 'fresh' }));
  expect(asked.mock.calls.map(([url]) => url)).toEqual(['/access/refresh-token']);
  // The same number again is no change.
  tookProfile({ name: 'Mia', phone: number.phone } as Profile);
  expect(asked).toHaveBeenCalledOnce();
});
