import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { openDispute } from '#contract/payments/endpoints.ts';
import type { Dispute } from '#contract/payments/views.ts';
import { sessions as listSessions } from '#contract/access/endpoints.ts';
import { createAlert } from '#contract/alerts/endpoints.ts';
import { proposeChange } from '#contract/rides/endpoints.ts';
import { createSeries } from '#contract/rides/recurring.ts';
import { makeLink } from '#contract/rides/share-links.ts';
import { shareTrip } from '#contract/safety/endpoints.ts';
import { hourMs, later, minuteMs } from '../platform/clock.ts';
import { announcements, feedback, cannedAnswers } from '../schema/moderation.ts';
import { blocks, contactApplications, personReports, tags } from '../schema/contacts.ts';
import { eventPlaces } from '../schema/event-places.ts';
import { events } from '../schema/events.ts';
import { dataExports } from '../schema/exports.ts';
import { shortcuts } from '../schema/geo.ts';
import { authorizations, claims } from '../schema/payments.ts';
import { pictures } from '../schema/pictures.ts';
import { undelivered } from '../schema/platform.ts';
import { reviews } from '../schema/reviews.ts';
import { licenses } from '../schema/vehicles.ts';
import type { Role, AccessFixture } from './access-fixture.ts';
import type { CallingApp } from './calling-app.ts';
import { spots, type RideInput } from './orders.ts';

// Rows behind the access table, each about one person: inserted directly, not through the calls.

type Owner = Exclude<Role, 'guest'>;

export const freshPhone = (): string => `+1415${String(2_000_000 + Math.floor(Math.random() * 7_999_999))}`;

export async function sessionOf({ app, people }: AccessFixture, owner: Owner): Promise<{ id: string }> {
  const { sessions } = await app.ok(people[owner], listSessions, {});
  return { id: sessions[0]!.id };
}

export async function tagOf({ app, people }: AccessFixture, owner: Owner): Promise<string> {
  const id = randomUUID();
  await app.platform.db.insert(tags).values({ id, ownerId: people[owner].id, name: `Tag ${id}` });
  return id;
}

export async function alertOf({ app, people }: AccessFixture, owner: Owner): Promise<string> {
  const { id } = await app.ok(people[owner], createAlert, { alert: wantedAlert(app) });
  return id;
}

/** A driver's alert, at a minute of its own: the same twice would be refused. */
export function wantedAlert(app: CallingApp) {
  const earliestMs = app.clock.now().getTime() + 48 * hourMs + Math.floor(Math.random() * 1000) * minuteMs;
  const window = {
    kind: 'once' as const,
    earliestAt: new Date(earliestMs).toISOString(),
    latestAt: new Date(earliestMs + hourMs).toISOString(),
  };
  const alert = { role: 'driver' as const, from: spots.westside, to: spots.aptos, times: window };
  return { ...alert, seats: 2, priceKind: 'perPerson' as const, costCents: 0 };
}

export async function shortcutOf({ app, people }: AccessFixture, owner: Owner): Promise<string> {
  const id = randomUUID();
  const { name, detail, lon, lat } = spots.soquel;
  const at = { atName: name, atDetail: detail, atLon: lon, atLat: lat };
  await app.platform.db
    .insert(shortcuts)
    .values({ id, ownerId: people[owner].id, label: 'work', ...at, createdAt: app.clock.now() });
  return id;
}

async function pictureOf({ app, people }: AccessFixture, owner: Owner): Promise<string> {
  const id = randomUUID();
  await app.platform.db.insert(pictures).values({
    id,
    ownerId: people[owner].id,
    purpose: 'license',
    objectKey: `private/licences/${id}.webp`,
    width: 10,
    height: 10,
    createdAt: app.clock.now(),
  });
  return id;
}

export async function licensePhotos(
  fixture: AccessFixture,
  role: Role,
): Promise<{ front: string; back: string }> {
  const owner = role === 'guest' ? 'stranger' : role;
  return { front: await pictureOf(fixture, owner), back: await pictureOf(fixture, owner) };
}

/** A license that waits for its verdict; the one that waits already, where there is one. */
export async function licenseOf(fixture: AccessFixture, owner: Owner): Promise<string> {
  const { app, people } = fixture;
  const userId = people[owner].id;
  const [waiting] = await app.platform.db.select().from(licenses).where(eq(licenses.userId, userId));
  if (waiting !== undefined) return waiting.id;
  const id = randomUUID();
  const { front: frontId, back: backId } = await licensePhotos(fixture, owner);
  await app.platform.db
    .insert(licenses)
    .values({ id, userId, status: 'Reviewing', frontId, backId, createdAt: app.clock.now() });
  return id;
}

/** A link to the owner's trip. */
export async function shareOf({ app, people, ride }: AccessFixture, owner: Owner): Promise<string> {
  const { share } = await app.ok(people[owner], shareTrip, { id: ride.id });
  return share.id;
}

/** The passenger's public review of the driver; the existing one, if any. */
export async function reviewAbout(
  { app, people, ride, bookingId }: AccessFixture,
  subject: 'driver',
): Promise<string> {
  const [authorId, subjectId] = [people.passenger.id, people[subject].id];
  const [standing] = await app.platform.db.select().from(reviews).where(eq(reviews.bookingId, bookingId));
  if (standing !== undefined) return standing.id;
  const id = randomUUID();
  const now = app.clock.now();
  const written = { stars: 2, words: 'Late', createdAt: now, publishedAt: now, publishAt: now };
  await app.platform.db
    .insert(reviews)
    .values({ id, bookingId, rideId: ride.id, authorId, subjectId, ...written });
  return id;
}

export async function feedbackOf({ app, people }: AccessFixture): Promise<string> {
  const id = randomUUID();
  const words = { subject: 'Hi', message: 'Hello', createdAt: app.clock.now() };
  await app.platform.db.insert(feedback).values({ id, authorId: people.contact.id, ...words });
  return id;
}

/** A ready export of the role's person. */
export async function readyExportFor(fixture: AccessFixture, role: Role): Promise<object> {
  const { app } = fixture;
  const person = fixture.who(role);
  const now = app.clock.now();
  const row = { state: 'ready', askedAt: now, readyAt: now, attempts: 1 } as const;
  if (person !== null)
    await app.platform.db
      .insert(dataExports)
      .values({ id: randomUUID(), userId: person.id, ...row })
      .onConflictDoUpdate({ target: dataExports.userId, set: row });
  return {};
}

/** A ticket of a kind that the role reads. */
export const ticketFor = async (fixture: AccessFixture, role: Role): Promise<{ id: string }> => ({
  id: await (role === 'moderator' ? reportOf(fixture) : feedbackOf(fixture)),
});

export async function cannedAnswerOf({ app }: AccessFixture): Promise<string> {
  const id = randomUUID();
  const words = { title: 'Thanks', text: 'Thank you.', language: 'en' } as const;
  await app.platform.db.insert(cannedAnswers).values({ id, ...words, updatedAt: app.clock.now() });
  return id;
}

/** An announcement in both languages, for a day. */
export const announcement = ({ app }: Pick<AccessFixture, 'app'>) => ({
  title: { en: 'A fair on Saturday', zh: '周六有市集' },
  text: { en: 'Main Street is closed from 8 AM.', zh: '主街上午 8 点起封路。' },
  untilAt: later(app.clock.now(), 24 * hourMs).toISOString(),
});

export async function announcementOf({ app }: AccessFixture): Promise<string> {
  const id = randomUUID();
  const now = app.clock.now();
  const words = { titleEn: 'Hi', titleZh: '你好', textEn: 'Hello', textZh: '您好' };
  await app.platform.db
    .insert(announcements)
    .values({ id, ...words, fromAt: now, untilAt: later(now, hourMs), createdAt: now });
  return id;
}

export async function reportOf({ app, people }: AccessFixture): Promise<string> {
  const id = randomUUID();
  const [reporterId, subjectId] = [people.contact.id, people.stranger.id];
  await app.platform.db
    .insert(personReports)
    .values({ id, reporterId, subjectId, reason: 'spam', createdAt: app.clock.now() });
  return id;
}

export async function eventOf({ app, people }: AccessFixture): Promise<string> {
  const id = randomUUID();
  const now = app.clock.now();
  const { name, detail, lon, lat } = spots.aptos;
  await app.platform.db.insert(events).values({
    id,
    organizerId: people.driver.id,
    name: 'Picnic',
    atName: name,
    atDetail: detail,
    atLon: lon,
    atLat: lat,
    startsAt: later(now, hourMs),
    endsAt: later(now, 3 * hourMs),
    timeZone: 'America/Los_Angeles',
    createdAt: now,
  });
  return id;
}

/** An event's fields, a good while ahead. */
export const wantedEvent = (app: CallingApp) => ({
  name: 'Concert',
  place: spots.capitola,
  starts: later(app.clock.now(), 240 * hourMs)
    .toISOString()
    .slice(0, 16),
  ends: later(app.clock.now(), 244 * hourMs)
    .toISOString()
    .slice(0, 16),
});

/** A trip to an event, for a driver or a passenger, at a time when all are free. */
export async function wayToEvent(fixture: AccessFixture) {
  const at = later(fixture.app.clock.now(), 72 * hourMs).toISOString();
  const there = { departsAt: at, flexMinutes: 0, earliestAt: at, latestAt: at };
  return { id: await eventOf(fixture), from: spots.westside, seats: 1, there, back: null };
}

/** A place that a plan proposes to the ride's driver and the passenger. */
export async function placeOf(fixture: AccessFixture): Promise<string> {
  const { app, people, ride, request } = fixture;
  const id = randomUUID();
  const at = later(app.clock.now(), hourMs);
  await app.platform.db
    .delete(eventPlaces)
    .where(and(eq(eventPlaces.rideId, ride.id), eq(eventPlaces.requestId, request.id)));
  await app.platform.db.insert(eventPlaces).values({
    id,
    eventId: await eventOf(fixture),
    rideId: ride.id,
    requestId: request.id,
    driverId: people.driver.id,
    passengerId: people.passenger.id,
    state: 'open',
    pickupAt: at,
    dropoffAt: at,
    createdAt: app.clock.now(),
  });
  return id;
}

/** A new person asks the owner to become contacts. */
export async function applicationTo({ app, people }: AccessFixture, owner: Owner): Promise<string> {
  const id = randomUUID();
  const { id: fromId } = await app.person('Applicant');
  await app.platform.db.insert(contactApplications).values({
    id,
    fromId,
    toId: people[owner].id,
    origin: 'DIRECT',
    status: 'pending',
    createdAt: app.clock.now(),
  });
  return id;
}

export const plannedRide = (app: CallingApp): RideInput => ({
  role: 'driver',
  from: spots.westside,
  to: spots.aptos,
  departsAt: later(app.clock.now(), 48 * hourMs).toISOString(),
  seats: 3,
  vehicleId: null,
  priceKind: 'perPerson',
  costCents: 0,
});

/** There, and back some hours later. */
export const plannedPair = (app: CallingApp) => ({
  order: plannedRide(app),
  back: {
    ...plannedRide(app),
    from: spots.aptos,
    to: spots.westside,
    departsAt: later(app.clock.now(), 56 * hourMs).toISOString(),
  },
});

/** A ride on every day of a week from tomorrow on, at a minute of its own: two at once would overlap. */
export function plannedRecurring(app: CallingApp) {
  const { departsAt: _departsAt, ...order } = plannedRide(app);
  const dayIn = (days: number) =>
    later(app.clock.now(), days * 24 * hourMs)
      .toISOString()
      .slice(0, 10);
  const rule = { weekdays: [1, 2, 3, 4, 5, 6, 7], localTime: '03:00', fromDay: dayIn(2), untilDay: dayIn(8) };
  return { order, rule };
}

export async function recurringOf({ app, people }: AccessFixture, owner: Owner): Promise<string> {
  const { series } = await app.ok(people[owner], createSeries, { series: plannedRecurring(app) });
  return series[0]!.id;
}

/** The code of the link to the ride. */
export async function linkOf({ app, people, ride }: AccessFixture): Promise<string> {
  const { path } = await app.ok(people.driver, makeLink, { id: ride.id });
  return new URL(path!, 'http://app').searchParams.get('code')!;
}

/** A person whom the role has blocked. */
export async function blockedBy({ app, people }: AccessFixture, role: Role): Promise<{ id: string }> {
  const { id } = await app.person('Blocked');
  if (role !== 'guest')
    await app.platform.db
      .insert(blocks)
      .values({ blockerId: people[role].id, blockedId: id, createdAt: app.clock.now() });
  return { id };
}

let proposals = 0;

/** A proposal of the ride's driver, each time another one, because an accepted one remains. */
export async function changeOf({ app, people, ride }: AccessFixture): Promise<string> {
  const minutes = 20 + (proposals++ % 100);
  const departsAt = later(new Date(ride.departsAt), minutes * minuteMs).toISOString();
  const { order } = await app.ok(people.driver, proposeChange, {
    id: ride.id,
    departsAt,
    costCents: ride.costCents,
  });
  if (order.role !== 'driver' || order.change === null) throw new Error('nothing is proposed');
  return order.change.id;
}

/** A payment for the fixture's booking, in the state where a share is owed and not yet captured. */
export async function owedPayment({ app, people, ride, request, bookingId }: AccessFixture): Promise<void> {
  const now = app.clock.now();
  await app.platform.db
    .insert(authorizations)
    .values({
      id: randomUUID(),
      provider: 'sandbox',
      bookingId,
      passengerId: people.passenger.id,
      driverId: people.driver.id,
      rideId: ride.id,
      requestId: request.id,
      orderNumber: ride.orderNumber,
      fromName: 'A',
      toName: 'B',
      rideAt: now,
      timeZone: ride.timeZone,
      seats: 1,
      goal: 'capture',
      amountCents: 900,
      captureCents: 900,
      captureAt: now,
      settledAt: now,
      isPresent: false,
      isAsked: true,
      state: 'requires_capture',
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing();
}

/** An objection of the fixture's passenger. */
export async function disputeOf(fixture: AccessFixture): Promise<string> {
  await owedPayment(fixture);
  const { app, people, bookingId } = fixture;
  const found = await app.call(people.passenger, openDispute, { bookingId, text: 'Nobody came' });
  if (found.code === 200) return (found.data as Dispute).id;
  const [row] = await app.platform.db.select().from(claims).where(eq(claims.bookingId, bookingId));
  await app.platform.db.update(claims).set({ state: 'open' }).where(eq(claims.id, row!.id));
  return row!.id;
}

/** Something that never arrived, as the outbox leaves it. */
export async function undeliveredOf({ app, people }: AccessFixture): Promise<string> {
  const id = randomUUID();
  const letter = { to: people.driver.email, subject: 'Hello', text: 'Hello\n\nSameway\n' };
  await app.platform.db.insert(undelivered).values({
    id,
    task: 'letter',
    recipient: letter.to,
    what: letter.subject,
    payload: letter,
    error: 'The mail server is away.',
    attempts: 12,
    at: app.clock.now(),
  });
  return id;
}
