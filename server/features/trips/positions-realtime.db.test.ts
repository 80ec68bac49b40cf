import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tellLocation, type CarPosition } from '#contract/trips/endpoints.ts';
import { realtimePath, type RealtimeFromServer } from '#contract/realtime.ts';
import { arrive } from '#contract/rides/endpoints.ts';
import { carryOn, openAccessFixture, type AccessFixture } from '../../testing/access-fixture.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { spots } from '../../testing/orders.ts';

type Client = Socket<RealtimeFromServer, Record<string, never>>;

let app: TestApp;
let url: string;
const sockets: Client[] = [];

beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z'), withLive: true });
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await app.platform.realtime.close();
  await app.close();
});

/** The positions a person receives while they have the app open. */
async function listen(token: string): Promise<CarPosition[]> {
  const heard: CarPosition[] = [];
  const socket: Client = io(url, {
    path: realtimePath,
    transports: ['websocket'],
    auth: { token },
    reconnection: false,
    forceNew: true,
  });
  sockets.push(socket);
  socket.on('position', (position) => heard.push(position));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return heard;
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('waited for 10 s in vain');
}

async function tell({ people, ride }: AccessFixture, at: { lon: number; lat: number }): Promise<void> {
  app.clock.advance(3000);
  await app.ok(people.driver, tellLocation, { id: ride.id, lon: at.lon, lat: at.lat });
}

test('only those who wait for the car or sit in it hear where it is, until they leave it', async () => {
  const fixture = await openAccessFixture(app, 'departed');
  const { driver, passenger, contact, stranger } = fixture.people;
  const [ofDriver, ofPassenger, ofContact, ofStranger] = await Promise.all(
    [driver, passenger, contact, stranger].map(({ token }) => listen(token)),
  );
  await tell(fixture, spots.westside);
  await until(() => ofPassenger!.length === 1 && ofDriver!.length === 1);
  expect(ofPassenger![0]).toMatchObject({ rideId: fixture.ride.id, lon: spots.westside.lon });

  await carryOn(fixture, 'departed', 'picked');
  await tell(fixture, spots.soquel);
  await until(() => ofPassenger!.length === 2);

  await app.ok(driver, arrive, { id: fixture.ride.id, bookingId: fixture.bookingId });
  await tell(fixture, spots.aptos);
  await until(() => ofDriver!.length === 3);
  expect(ofPassenger).toHaveLength(2);
  expect(ofContact).toEqual([]);
  expect(ofStranger).toEqual([]);
});
