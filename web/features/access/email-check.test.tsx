import { QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';

// What calls need of a browser.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en-US'] });
const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
vi.stubGlobal('localStorage', storage);
vi.stubGlobal('sessionStorage', storage);
const asked = vi.fn<(url: string) => Promise<Response>>();
vi.stubGlobal('fetch', asked);
const { queryClient } = await import('../../core/query-client.ts');
const { startWords } = await import('../../core/i18n.ts');
const { readDraft } = await import('./draft.ts');
const { useEmailCheck } = await import('./email-check.ts');

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {}, querySelector: () => null });
  await startWords(['common', 'access', 'reasons']);
  vi.stubGlobal('document', undefined);
});

/** Where an e-mail leads, by what the server answers. */
async function ledBy(email: string, answer: object): Promise<string[]> {
  asked.mockImplementation(async () => Response.json(answer));
  const led: string[] = [];
  let check: ReturnType<typeof useEmailCheck>['check'] | undefined;
  function Form() {
    ({ check } = useEmailCheck({ onKnown: () => led.push('password'), onNew: () => led.push('sign-up') }));
    return null;
  }
  renderToString(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  );
  await check!(email);
  return led;
}

test('a known e-mail leads to its password, an unknown one to signing up, and is kept for the next step', async () => {
  expect(await ledBy('mia@example.com', { code: 200, info: 'OK', data: { exists: true } })).toEqual([
    'password',
  ]);
  expect(readDraft().email).toBe('mia@example.com');
  expect(await ledBy('new@example.com', { code: 200, info: 'OK', data: { exists: false } })).toEqual([
    'sign-up',
  ]);
  expect(readDraft().email).toBe('new@example.com');
  expect(asked.mock.calls.every(([url]) => url.startsWith('/access/check-account?'))).toBe(true);
});

test('asked too often, the password is asked for', async () => {
  expect(await ledBy('mia@example.com', { code: 429, info: 'Too many.', reason: 'rate.limited' })).toEqual([
    'password',
  ]);
});
