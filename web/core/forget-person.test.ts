import { beforeEach, expect, test, vi } from 'vitest';

// A browser's storages, of which every key can be listed.
function storage() {
  const kept: Record<string, string> = {};
  return Object.defineProperties(kept, {
    getItem: { value: (key: string) => kept[key] ?? null },
    setItem: { value: (key: string, value: string) => void (kept[key] = value) },
    removeItem: { value: (key: string) => void delete kept[key] },
  }) as Record<string, string> & Storage;
}
const [local, perTab] = [storage(), storage()];
vi.stubGlobal('localStorage', local);
vi.stubGlobal('sessionStorage', perTab);
vi.stubGlobal('addEventListener', () => {});
const databases = ['sameway'];
vi.stubGlobal('indexedDB', {
  deleteDatabase: (name: string) => {
    databases.splice(databases.indexOf(name), 1);
    return { addEventListener: (kind: string, done: () => void) => kind === 'success' && done() };
  },
});
const closed = vi.fn<() => void>();
const unsubscribed = vi.fn<() => Promise<boolean>>();
vi.stubGlobal('navigator', {
  languages: ['en'],
  onLine: true,
  serviceWorker: {
    getRegistration: async () => ({
      getNotifications: async () => [{ close: closed }],
      pushManager: { getSubscription: async () => ({ unsubscribe: unsubscribed }) },
    }),
  },
});
vi.mock('react', () => ({}));

const { keepDraft, readDraft, startDrafts } = await import('./drafts.ts');
const { leaveDevice, startForgetting } = await import('./forget-person.ts');
const { queryClient } = await import('./query-client.ts');
const { guest, readSession, signIn, signOut } = await import('./session.ts');
const { stored } = await import('./stored.ts');

const queue = stored('steps', (raw) => (Array.isArray(raw) ? (raw as string[]) : []));
const language = stored('language', (raw) => raw);
startForgetting();
startDrafts();
const as = (id: string) => signIn({ ...guest, id, accessToken: 'token', authed: true, inviter: 'code' });

/** Everything that a person leaves behind while they use the app. */
function use(id: string): void {
  as(id);
  language.write('zh');
  queue.write(['reach']);
  keepDraft('plan.driver', { from: { name: `Home of ${id}` } });
  // Of modules that this page has not loaded.
  local.setItem('sameway.outbox', `[{"text":"from ${id}"}]`);
  local.setItem('sameway.push', JSON.stringify(id));
  perTab.setItem('sameway.accessDraft', `{"email":"${id}@example.com"}`);
  queryClient.setQueryData(['/user/profile', {}], { name: id });
}
beforeEach(async () => {
  await leaveDevice();
  closed.mockClear();
  unsubscribed.mockClear();
});

test('after signing out nothing of a person is left on the device', async () => {
  use('mia');
  local.setItem('another.site', 'stays');
  expect(Object.keys(local)).toEqual(
    expect.arrayContaining(['sameway.session', 'sameway.drafts', 'sameway.steps', 'sameway.lastPerson']),
  );
  databases.splice(0, databases.length, 'sameway');
  await leaveDevice();
  expect(Object.entries(local)).toEqual([
    ['sameway.language', '"zh"'],
    ['another.site', 'stays'],
  ]);
  expect(Object.keys(perTab)).toEqual([]);
  expect(databases).toEqual([]);
  expect(queue.read()).toEqual([]);
  expect(readDraft('plan.driver')).toBeUndefined();
  expect(readSession()).toEqual(guest);
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
  expect(closed).toHaveBeenCalledOnce();
  expect(unsubscribed).toHaveBeenCalledOnce();
});

test('a lost session keeps what waits, for the same person alone', () => {
  use('mia');
  signOut();
  expect(readDraft('plan.driver')).toBeUndefined();
  as('mia');
  expect(readDraft('plan.driver')).toEqual({ from: { name: 'Home of mia' } });
  expect(queue.read()).toEqual(['reach']);
});

test('another person who signs in after it finds nothing of the one before', async () => {
  use('mia');
  signOut();
  as('leo');
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(JSON.stringify(local)).not.toContain('mia');
  expect(JSON.stringify(perTab)).not.toContain('mia');
  expect(readSession().id).toBe('leo');
  expect(local['sameway.language']).toBe('"zh"');
});
