import { beforeEach, expect, test, vi } from 'vitest';
import { createVehicle, listVehicles } from '#contract/vehicles/endpoints.ts';
import { orderDetail, orderTimeline } from '#contract/rides/endpoints.ts';
import { asked, car, stubBrowser } from './stub-browser.ts';

stubBrowser();
const { call } = await import('./api.ts');
const { startEarly } = await import('./early-answers.ts');
const { followed, read } = await import('./read-of-page.ts');
const { guest, signIn } = await import('./session.ts');
const { startWords } = await import('./i18n.ts');

const id = '018f4e7a-2c3d-7a11-8b2f-0a1b2c3d4e5f';
const paths = () => asked.mock.calls.map(([url]) => url.replace(/\?.*/, ''));
const answer = (data: object) => Response.json({ code: 200, info: 'OK', data });
const mia = { ...guest, id: 'mia', accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 };

beforeEach(async () => {
  await startWords();
  vi.stubGlobal('fetch', asked);
  asked.mockReset();
  asked.mockImplementation(async () => answer({ vehicles: [] }));
  signIn(mia);
});

test('a call uses the pending answer once, and makes its own request afterwards', async () => {
  startEarly([read(listVehicles, {})]);
  expect(asked.mock.calls[0]?.[1].headers).toMatchObject({ Authorization: 'Bearer token' });
  expect(await call(listVehicles, {})).toEqual({ vehicles: [] });
  expect(asked).toHaveBeenCalledOnce();
  await call(listVehicles, {});
  expect(asked).toHaveBeenCalledTimes(2);
});

test('a different person gets their own answer', async () => {
  startEarly([read(listVehicles, {})]);
  signIn({ ...mia, id: 'leo', accessToken: 'other' });
  await call(listVehicles, {});
  expect(asked.mock.calls.map(([, { headers }]) => headers)).toMatchObject([
    { Authorization: 'Bearer token' },
    { Authorization: 'Bearer other' },
  ]);
});

test('a failed early read is requested again', async () => {
  asked.mockRejectedValueOnce(new TypeError('no connection'));
  startEarly([read(listVehicles, {})]);
  expect(await call(listVehicles, {})).toEqual({ vehicles: [] });
  expect(asked).toHaveBeenCalledTimes(2);
});

test('a rejected token is renewed, as for any call', async () => {
  asked.mockImplementation(async (url, { headers }) => {
    if (url.startsWith('/access/refresh-token')) return answer({ ...mia, accessToken: 'fresh' });
    const isFresh = new Headers(headers).get('authorization') === 'Bearer fresh';
    return isFresh ? answer({ vehicles: [] }) : Response.json({ code: 400, info: 'Please sign in.' });
  });
  startEarly([read(listVehicles, {})]);
  expect(await call(listVehicles, {})).toEqual({ vehicles: [] });
  expect(paths()).toEqual(['/car/list', '/access/refresh-token', '/car/list']);
});

test('reads that depend on an answer start as soon as it arrives', async () => {
  const first = followed(read(orderDetail, { id }), (_shown, personId) => [
    read(orderTimeline, { id: personId === 'mia' ? id : '' }),
  ]);
  startEarly([first]);
  await vi.waitFor(() => expect(paths()).toEqual(['/order/detail', '/order/timeline']));
});

test('no early read uses a token that is about to expire, or needs a session that a guest lacks', () => {
  signIn({ ...mia, expiresAt: Date.now() + 1000 });
  startEarly([read(listVehicles, {})]);
  signIn(guest);
  startEarly([read(listVehicles, {})]);
  signIn({ ...mia, profileMissing: true });
  startEarly([read(listVehicles, {})]);
  expect(asked).not.toHaveBeenCalled();
});

test('a read that the page has already made does not start again', async () => {
  const shown = Promise.withResolvers<Response>();
  asked.mockImplementationOnce(() => shown.promise);
  startEarly([followed(read(orderDetail, { id }), () => [read(orderTimeline, { id })])]);
  asked.mockImplementation(async () => answer({}));
  await call(orderTimeline, { id });
  shown.resolve(answer({}));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(paths()).toEqual(['/order/detail', '/order/timeline']);
});

test('after a change, earlier answers are not used', async () => {
  startEarly([read(listVehicles, {})]);
  await call(createVehicle, car);
  await call(listVehicles, {});
  expect(paths()).toEqual(['/car/list', '/car/create', '/car/list']);
});
