import { afterEach, expect, test, vi } from 'vitest';

// What keeping drafts needs of a browser.
const kept = new Map<string, string>();
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});
vi.mock('react', () => ({}));

const { dropKeptTap, keepTap, readKeptTap } = await import('./kept-tap.ts');
const { startDrafts } = await import('./drafts.ts');
const { guest, signIn, signOut } = await import('./session.ts');

vi.useFakeTimers();
startDrafts();
afterEach(() => {
  dropKeptTap();
  signOut();
});

test('the latest tap is kept until it is dropped', () => {
  expect(readKeptTap()).toBeNull();
  keepTap('ask.1');
  keepTap('ask.2');
  expect(readKeptTap()).toBe('ask.2');
  dropKeptTap();
  expect(readKeptTap()).toBeNull();
});

test('a guest’s tap becomes that of the person who signs in, and of no other', () => {
  keepTap('ask.1');
  signIn({ ...guest, id: 'mia', accessToken: 'token', authed: true });
  expect(readKeptTap()).toBe('ask.1');
  signIn({ ...guest, id: 'leo', accessToken: 'token', authed: true });
  expect(readKeptTap()).toBeNull();
});

test('after half an hour a tap is not gone on with', () => {
  keepTap('ask.1');
  vi.advanceTimersByTime(31 * 60_000);
  expect(readKeptTap()).toBeNull();
});
