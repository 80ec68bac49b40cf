import { beforeEach, expect, test, vi } from 'vitest';

// What keeping drafts needs of a browser.
const kept = new Map<string, string>();
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});
vi.mock('react', () => ({}));

const { draftStore, dropDraft, keepDraft, readDraft, startDrafts } = await import('./drafts.ts');
const { guest, signIn, signOut } = await import('./session.ts');
const as = (id: string) => signIn({ ...guest, id, accessToken: 'token', authed: true });
const inStorage = () => kept.get('sameway.drafts') ?? '{}';
const dayMs = 24 * 60 * 60_000;

vi.useFakeTimers();
startDrafts();
beforeEach(() => {
  vi.setSystemTime(new Date('2026-11-24T08:00:00Z'));
  for (const name of ['feedback', 'profile', 'plan']) dropDraft(name);
  as('mia');
});

test('what was typed is there again for its person, until it is sent', () => {
  keepDraft('feedback', { message: 'The map is' });
  expect(readDraft('feedback')).toEqual({ message: 'The map is' });
  expect(JSON.parse(inStorage())).toMatchObject({ feedback: { userId: 'mia' } });
  dropDraft('feedback');
  expect(readDraft('feedback')).toBeUndefined();
  expect(inStorage()).toBe('{}');
});

test('a lost session hides drafts, and the same person finds them after signing in again', () => {
  keepDraft('profile', { name: 'Mia' });
  signOut();
  expect(readDraft('profile')).toBeUndefined();
  as('mia');
  expect(readDraft('profile')).toEqual({ name: 'Mia' });
});

test('another person who signs in finds nothing, and nothing of it stays', () => {
  keepDraft('plan', { from: '12 Ocean View Avenue' });
  signOut();
  as('leo');
  expect(readDraft('plan')).toBeUndefined();
  expect(inStorage()).not.toContain('Ocean View');
});

test('what a guest typed goes on when they sign in, and is theirs from then on', () => {
  signOut();
  keepDraft('plan', { from: 'Pier' });
  expect(readDraft('plan')).toEqual({ from: 'Pier' });
  as('mia');
  expect(readDraft('plan')).toEqual({ from: 'Pier' });
  signOut();
  expect(readDraft('plan')).toBeUndefined();
});

test.each([
  ['a millisecond less than a day', dayMs - 1, true],
  ['a day', dayMs, false],
])('after %s', (_what, laterMs, there) => {
  keepDraft('feedback', 'typed');
  vi.setSystemTime(Date.now() + laterMs);
  expect(readDraft('feedback') !== undefined).toBe(there);
});

test('a draft that pages share stays the same object until it changes, and is sound whatever was kept', () => {
  const store = draftStore('plan', (raw) => ({ from: typeof raw === 'string' ? raw : 'nowhere' }));
  expect(store.read()).toEqual({ from: 'nowhere' });
  expect(store.read()).toBe(store.read());
  keepDraft('plan', 'Pier');
  expect(store.read()).toEqual({ from: 'Pier' });
  const chosen = { from: 'Capitola' };
  store.write(chosen);
  keepDraft('feedback', 'of another form');
  expect(store.read()).toBe(chosen);
  store.drop();
  expect(store.read()).toEqual({ from: 'nowhere' });
});
