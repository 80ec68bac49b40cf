import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { tellLocation } from '#contract/trips/endpoints.ts';
import { cancelOrder } from '#contract/rides/endpoints.ts';
import {
  listShares,
  raiseAlarm,
  readTrustedContact,
  saveTrustedContact,
  shareTrip,
  stopSharing,
  watchTrip,
} from '#contract/safety/endpoints.ts';
import { dayMs, minuteMs } from '../../platform/clock.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { alarms, tripShares } from '../../schema/safety.ts';
import { carryOn, openAccessFixture } from '../../testing/access-fixture.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { spots } from '../../testing/orders.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

const codeOf = (path: string) => new URL(path, 'http://x').searchParams.get('code')!;
const emailsTo = (recipient: string) =>
  app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, recipient));

test('whoever has the link follows the trip until it ends, and not a moment longer', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  const { path } = await app.ok(passenger, shareTrip, { id: fixture.ride.id });
  const code = codeOf(path);
  const before = await app.ok(null, watchTrip, { code });
  expect(before).toMatchObject({
    name: 'Passenger',
    trip: { driverName: 'Driver', onBoard: false, car: null, expectedAt: null },
  });
  expect(before.trip!.vehicle!.plate).toMatch(/.+/);

  await carryOn(fixture, 'joined', 'picked');
  app.clock.advance(5000);
  await app.ok(driver, tellLocation, { id: fixture.ride.id, lon: spots.soquel.lon, lat: spots.soquel.lat });
  const under = await app.ok(null, watchTrip, { code });
  expect(under.trip).toMatchObject({ onBoard: true, car: { lon: spots.soquel.lon } });
  expect(Date.parse(under.trip!.expectedAt!)).toBeGreaterThan(app.clock.now().getTime());

  await carryOn(fixture, 'picked', 'finished');
  expect(await app.ok(null, watchTrip, { code })).toEqual({ name: 'Passenger', trip: null });
  app.clock.advance(dayMs + minuteMs);
  await app.scheduler.tick();
  expect(await app.call(null, watchTrip, { code })).toMatchObject({ code: 404 });
});

test('a contact gets the link by mail; others cannot be chosen; the link is kept as a hash alone', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { passenger, contact, stranger } = fixture.people;
  const { share, path } = await app.ok(passenger, shareTrip, { id: fixture.ride.id, contactId: contact.id });
  expect(share.to).toMatchObject({ id: contact.id });
  await app.deliver();
  const [letter] = await emailsTo(contact.email);
  expect(letter!.body).toContain(path);
  expect(await app.call(passenger, shareTrip, { id: fixture.ride.id, contactId: stranger.id })).toMatchObject(
    {
      code: 422,
      reason: 'share.notContact',
      data: { fields: { contactId: expect.any(String) } },
    },
  );
  const rows = await app.platform.db.select().from(tripShares).where(eq(tripShares.id, share.id));
  expect(JSON.stringify(rows)).not.toContain(codeOf(path));

  expect(await app.call(stranger, stopSharing, { shareId: share.id })).toMatchObject({ code: 404 });
  expect((await app.ok(passenger, stopSharing, { shareId: share.id })).shares).toEqual([]);
  expect(await app.call(null, watchTrip, { code: codeOf(path) })).toMatchObject({ code: 404 });
  expect((await app.ok(passenger, listShares, { id: fixture.ride.id })).shares).toEqual([]);
});

test('a place that was given up is not followed on', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { passenger } = fixture.people;
  const { path } = await app.ok(passenger, shareTrip, { id: fixture.ride.id });
  await app.ok(passenger, cancelOrder, { id: fixture.request.id });
  expect((await app.ok(null, watchTrip, { code: codeOf(path) })).trip).toBeNull();
  expect(await app.call(passenger, shareTrip, { id: fixture.ride.id })).toMatchObject({
    code: 409,
    reason: 'share.notRiding',
  });
});

test('in an emergency the trusted contact learns place, plate and driver by SMS and mail', async () => {
  const fixture = await openAccessFixture(app, 'picked');
  const { passenger } = fixture.people;
  const email = `mum-${fixture.bookingId}@example.com`;
  const alone = await app.ok(passenger, raiseAlarm, { id: fixture.ride.id });
  expect(alone).toEqual({ told: [], name: '' });

  expect(await app.call(passenger, saveTrustedContact, { name: 'Mum' })).toMatchObject({
    code: 422,
    reason: 'safety.unreachable',
  });
  expect(await app.call(passenger, saveTrustedContact, { name: 'Mum', phone: '12' })).toMatchObject({
    reason: 'access.phoneInvalid',
  });
  await app.ok(passenger, saveTrustedContact, { name: 'Mum', phone: '(415) 555-0134', email });
  expect(await app.ok(passenger, readTrustedContact, {})).toEqual({
    name: 'Mum',
    phone: '+14155550134',
    email,
  });

  const { told, name } = await app.ok(passenger, raiseAlarm, {
    id: fixture.ride.id,
    lon: spots.soquel.lon,
    lat: spots.soquel.lat,
  });
  expect({ told, name }).toEqual({ told: ['sms', 'email'], name: 'Mum' });
  await app.deliver();
  const [letter] = await emailsTo(email);
  const [sms] = await emailsTo('+14155550134');
  for (const { body } of [letter!, sms!]) {
    expect(body).toContain(`${spots.soquel.lat},${spots.soquel.lon}`);
    expect(body).toContain('Driver: Driver');
    expect(body).toMatch(/Car: [A-Z0-9-]+, blue Toyota Prius/);
  }
  const link = /\/pages\/order\/shared\?code=[\w-]+/.exec(letter!.body)![0];
  expect((await app.ok(null, watchTrip, { code: codeOf(link) })).trip).toMatchObject({ onBoard: true });
  expect(await app.platform.db.$count(alarms, eq(alarms.personId, passenger.id))).toBe(2);

  expect(await app.ok(passenger, saveTrustedContact, { name: '' })).toEqual({
    name: '',
    phone: '',
    email: '',
  });
  expect(await app.call(fixture.people.stranger, raiseAlarm, { id: fixture.ride.id })).toMatchObject({
    code: 404,
  });
});
