import { expect, test } from '@playwright/test';
import { login } from '#contract/access/endpoints.ts';
import type { Envelope } from '#contract/envelope.ts';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { readEnvelope } from '../server/testing/envelopes.ts';
import { copyOfDemo, startServer } from './server.ts';

async function post(url: string, path: string, body: object, token = ''): Promise<Envelope<unknown>> {
  const headers = {
    'content-type': 'application/json',
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return readEnvelope(await answer.json());
}

async function get(url: string, path: string, token: string): Promise<Envelope<unknown>> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return readEnvelope(await answer.json());
}

test('kill -9 in the middle of work loses nothing that was acknowledged, and the next start does nothing twice', async () => {
  const { folder, remove } = copyOfDemo();
  try {
    const first = await startServer(folder);
    const signedIn = await post(first.url, '/access/login', {
      email: demoAccounts[0].email,
      password: demoPassword,
    });
    const { accessToken: token } = login.output.parse(signedIn.data);
    const acknowledged: string[] = [];
    const plates = Array.from({ length: 6 }, (_, index) => `CUT${index}`);
    const vehicle = {
      brand: 'Toyota',
      model: 'Prius',
      type: 'hatchback',
      year: 2020,
      color: 'blue',
      seats: 4,
    };
    // The power fails while some of these are on their way.
    const work = Promise.allSettled(
      plates.map(async (plate, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 15));
        const answer = await post(first.url, '/car/create', { ...vehicle, plate }, token);
        if (answer.code === 200) acknowledged.push(plate);
      }),
    );
    while (acknowledged.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await first.kill();
    await work;

    const second = await startServer(folder);
    const { vehicles } = (await get(second.url, '/car/list', token)).data as {
      vehicles: { plate: string }[];
    };
    const kept = vehicles.map(({ plate }) => plate);
    expect(kept).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(kept).size).toBe(kept.length);
    const stats = await get(second.url, '/order/list', token);
    expect(stats.code).toBe(200);
    await second.stop();
  } finally {
    remove();
  }
});
