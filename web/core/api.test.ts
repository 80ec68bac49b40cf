import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { listVehicles, createVehicle } from '#contract/vehicles/endpoints.ts';
import { version } from '#contract/app/endpoints.ts';
import { asked, car, stubBrowser } from './stub-browser.ts';

stubBrowser();
const { call, whenSignedOut } = await import('./api.ts');
const { guest, isSignedIn, readSession, signIn } = await import('./session.ts');
const { startWords } = await import('./i18n.ts');
const { toast } = await import('../ui/toasts.tsx');
const { takeToasts } = await import('../ui/toast-queue.ts');

/** What the server answers. */
const answers = (body: object | string, status = 200, type = 'application/json') =>
  asked.mockImplementation(async () => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers: { 'content-type': type } });
  });
/** Toasts on the screen: their words, and for how many milliseconds they stay. */
const shown = () => takeToasts().map(({ words, durationMs }) => [words, durationMs]);

beforeAll(() => startWords());
beforeEach(() => {
  vi.stubGlobal('fetch', asked);
  signIn({ ...guest, accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 });
});
afterEach(() => {
  asked.mockReset();
  takeToasts();
});

test('a call carries the time, an empty sign, the bearer token, and asks for JSON', async () => {
  answers({ code: 200, info: 'OK', data: { vehicles: [] } });
  expect(await call(listVehicles, {})).toEqual({ vehicles: [] });
  await call(createVehicle, car);
  const [[readUrl, reading], [writeUrl, writing]] = asked.mock.calls as [
    [string, RequestInit],
    [string, RequestInit],
  ];
  const query = new URL(readUrl, 'https://sameway.example').searchParams;
  expect(Number(query.get('signTime'))).toBeGreaterThan(Date.now() - 60_000);
  expect(query.get('sign')).toBe('');
  expect(writeUrl).toBe('/car/create');
  const body = z.record(z.string(), z.unknown()).parse(JSON.parse(writing.body as string));
  expect(body).toMatchObject({ ...car, signTime: expect.any(Number), sign: '' });
  for (const { headers } of [reading, writing])
    expect(headers).toMatchObject({ Accept: 'application/json', Authorization: 'Bearer token' });
});

test('body code 400 ends the session and leads to the auth page, without a toast', async () => {
  const ended = vi.fn<() => void>();
  whenSignedOut(ended);
  answers({ code: 400, info: 'Please sign in to continue.', reason: 'session.missing' });
  await expect(call(listVehicles, {})).rejects.toMatchObject({ name: 'Refused', code: 400 });
  expect(ended).toHaveBeenCalledOnce();
  expect(isSignedIn(readSession())).toBe(false);
  expect(shown()).toEqual([]);
});

test('any other body code that is not 200 is told for 3 seconds, and the call fails', async () => {
  answers({ code: 409, info: 'The ferry has left.' });
  await expect(call(createVehicle, car)).rejects.toMatchObject({ code: 409, info: 'The ferry has left.' });
  expect(shown()).toEqual([['The ferry has left.', 3000]]);
});

test.each([
  ['its body', 'The request is too large.', 'text/plain; charset=utf-8', 'The request is too large.'],
  ['Server Error, where it has none', '', 'text/plain', 'Server Error'],
  ['Server Error, for the page of a gateway', '<html>Bad gateway</html>', 'text/html', 'Server Error'],
])('an HTTP status that is not 200 is told for 8 seconds: %s', async (_what, body, type, words) => {
  answers(body, 502, type);
  await expect(call(version, {})).rejects.toMatchObject({ name: 'ServerTrouble', status: 502 });
  expect(shown()).toEqual([[words, 8000]]);
});

test('what has not changed since it was last read is not sent again, for the same person', async () => {
  const vehicles = { vehicles: [{ plate: '8ABC123' }] };
  const body = JSON.stringify({ code: 200, info: 'OK', data: vehicles });
  asked.mockImplementation(async (_url, { headers }) =>
    'If-None-Match' in (headers as object)
      ? new Response(null, { status: 304 })
      : new Response(body, { headers: { 'content-type': 'application/json', etag: 'W/"one"' } }),
  );
  expect(await call(listVehicles, {})).toEqual(vehicles);
  expect(await call(listVehicles, {})).toEqual(vehicles);
  const tagsOf = () =>
    asked.mock.calls.map(([, { headers }]) => new Headers(headers as HeadersInit).get('If-None-Match'));
  expect(tagsOf()).toEqual([null, 'W/"one"']);
  signIn({ ...guest, id: 'another', accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 });
  await call(listVehicles, {});
  expect(tagsOf().at(-1)).toBeNull();
});

test('news is told for 2 seconds', () => {
  toast.done('Saved');
  toast.info('Ten new rides');
  const messages = shown();
  expect(messages).toHaveLength(2);
  expect(messages).toEqual(
    expect.arrayContaining([
      ['Saved', 2000],
      ['Ten new rides', 2000],
    ]),
  );
});

test('who handles a status has no toast shown', async () => {
  answers('', 503, 'text/plain');
  const quiet = (error: unknown) => error instanceof Error && 'status' in error && error.status === 503;
  await expect(call(version, {}, { quiet })).rejects.toMatchObject({ status: 503 });
  expect(shown()).toEqual([]);
});

test('a call that is not answered within a minute has failed', async () => {
  vi.useFakeTimers();
  asked.mockImplementation(
    async (_url, { signal }) =>
      new Promise((_resolve, reject) =>
        signal!.addEventListener('abort', () => reject(new Error('aborted'))),
      ),
  );
  const failed = call(createVehicle, car).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(asked.mock.calls[0]![1].signal!.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await failed).toMatchObject({ name: 'Offline', timedOut: true });
  expect(shown()).toEqual([['That took too long. Please try again.', 3000]]);
  vi.useRealTimers();
});
