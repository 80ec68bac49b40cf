import { beforeEach, expect, test, vi } from 'vitest';

// What a launch needs of a browser.
const kept = new Map<string, string>();
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { platform: 'Linux', userAgent: 'Test', languages: ['en'] });
vi.stubGlobal('screen', { width: 390, height: 844 });
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});
const asked = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
vi.stubGlobal('fetch', asked);
const { ignoreUpgrade, launched, registerThisDevice, upgradeIgnored } = await import('./launch.ts');
const { guest, isSignedIn, nameGuest, readSession, rereadSession, signIn, signOut } =
  await import('./session.ts');

beforeEach(() => {
  asked.mockReset();
  asked.mockImplementation(async () => Response.json({ code: 200, info: 'OK', data: {} }));
  signOut();
});
const mia = { ...guest, id: 'mia', accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 };

test('the session user has the fields of the specification, begins as a guest, and outlives the page', () => {
  const specified =
    'id authId openId email phone phoneNumber phoneRegion preferContactWith name lastName avatar';
  const signedIn = 'accessToken expiresAt refreshToken authed inviter isAdmin';
  expect(Object.keys(guest)).toEqual(
    expect.arrayContaining([...specified.split(' '), ...signedIn.split(' ')]),
  );
  expect(readSession()).toMatchObject({
    name: 'Guest',
    phoneRegion: '+1',
    preferContactWith: 'phone',
    expiresAt: 0,
    authed: false,
    isAdmin: false,
    accessToken: '',
  });
  signIn(mia);
  expect(JSON.parse(kept.get('sameway.session')!)).toEqual(mia);
  expect(rereadSession()).toEqual(mia);
});

test('a guest’s name is the guest label in the language shown, also once it is kept; a person keeps theirs', () => {
  nameGuest('访客');
  expect(readSession()).toMatchObject({ name: '访客', authed: false });
  signOut();
  expect(JSON.parse(kept.get('sameway.session')!)).toMatchObject({ name: '访客' });
  nameGuest('Guest');
  expect(JSON.parse(kept.get('sameway.session')!)).toMatchObject({ name: 'Guest' });
  signIn({ ...mia, name: 'Mia' });
  nameGuest('访客');
  expect(readSession().name).toBe('Mia');
  nameGuest('Guest');
});

test('logged in means an access token and having proved who one is, both', () => {
  expect(isSignedIn(mia)).toBe(true);
  expect(isSignedIn({ ...mia, authed: false })).toBe(false);
  expect(isSignedIn({ ...mia, accessToken: '' })).toBe(false);
});

test('a launch clears the saved answer “later”; a guest’s device is not registered', () => {
  ignoreUpgrade();
  expect(upgradeIgnored()).toBe(true);
  launched();
  expect(upgradeIgnored()).toBe(false);
  expect(kept.get('sameway.upgradeIgnored')).toBe('false');
  expect(asked).not.toHaveBeenCalled();
});

test('a launch registers the device of whoever is signed in', async () => {
  signIn(mia);
  launched();
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  const [url, { body }] = asked.mock.calls[0]!;
  expect(url).toBe('/user/register-device');
  expect(JSON.parse(body as string)).toMatchObject({
    pushCid: '',
    clientType: 'H5',
    createTime: expect.any(Number),
    lastLaunchTime: expect.any(Number),
    platform: 'Linux',
    userAgent: 'Test',
    screen: '390x844',
  });
});

test('a device that push messages reach is registered with their address', async () => {
  const endpoint = 'https://push.example/send/abc';
  const subscription = { endpoint, toJSON: () => ({ endpoint, keys: {} }) };
  vi.stubGlobal('navigator', {
    platform: 'Linux',
    userAgent: 'Test',
    languages: ['en'],
    serviceWorker: {
      getRegistration: async () => ({ pushManager: { getSubscription: async () => subscription } }),
    },
  });
  signIn(mia);
  await registerThisDevice();
  const [, { body }] = asked.mock.calls[0]!;
  expect(JSON.parse(body as string)).toMatchObject({ pushCid: 'https://push.example/send/abc' });
});
