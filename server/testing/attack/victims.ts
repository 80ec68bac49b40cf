import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { sendMessage } from '#contract/chat/endpoints.ts';
import { updateContact } from '#contract/contacts/endpoints.ts';
import { eventDetail } from '#contract/events/endpoints.ts';
import { postFeedback } from '#contract/feedback/endpoints.ts';
import { createAddress } from '#contract/geo/endpoints.ts';
import { saveTrustedContact } from '#contract/safety/endpoints.ts';
import { replyToTeam, reportMessage } from '#contract/tickets/endpoints.ts';
import { announcements } from '../../schema/moderation.ts';
import {
  apiKeys,
  directoryGroups,
  directoryMembers,
  directoryUsers,
  webhookDeliveries,
  webhooks,
} from '../../schema/connect.ts';
import { openAccessFixture, type AccessFixture } from '../access-fixture.ts';
import * as things from '../access-records.ts';
import type { CallingApp } from '../calling-app.ts';
import { addCard } from '../money.ts';
import { spots } from '../orders.ts';
import { giveSecondFactor, type TestPerson } from '../people.ts';

/** Two people who ride together, and everything of theirs that has an id. */
export interface Victims {
  people: readonly TestPerson[];
  /** Ids of their things, by table. */
  objects: ReadonlyMap<string, string>;
  /** Words that occur only in their things: no answer to another person may contain one. */
  secrets: readonly string[];
  /** Values by which their rows are found in any table. */
  marks: readonly string[];
}

/** Part of every text of the victims. */
const mark = 'Perseus7391';

/**
 * Tables that are not a person's things: the server's own counts and work, and rows that only an attacker's
 * action creates.
 */
const ownBookkeeping = [
  'tries',
  'event_cursors',
  'event_log',
  'idempotency',
  'security_counts',
  'server_heartbeat',
  'settings',
  'sign_in_tickets',
];

/**
 * Rows through which other programs reach them: a key, a webhook that gets their ride's events, a group of a
 * directory; and the driver's announcement. Names hold the driver's id, by which the rows are found.
 */
async function connect(fixture: AccessFixture): Promise<void> {
  const { app, people, ride } = fixture;
  const { db } = app.platform;
  const [id, createdAt] = [people.driver.id, app.clock.now()];
  const name = `Of ${id}`;
  const key = { name, keyHash: randomUUID(), shown: 'sameway_…', scopes: ['rides:read'], callsPerMinute: 1 };
  await db.insert(apiKeys).values({ id: randomUUID(), userId: id, ...key, createdAt });
  const webhook = { name, url: 'https://example.com/hook', events: [], state: 'paused' as const, secret: '' };
  const webhookId = randomUUID();
  await db.insert(webhooks).values({ id: webhookId, ...webhook, createdAt });
  await db.insert(webhookDeliveries).values({
    id: randomUUID(),
    webhookId,
    source: ride.id,
    event: 'ride.published',
    body: JSON.stringify({ rideId: ride.id }),
    state: 'failed',
    createdAt,
    nextAt: createdAt,
  });
  const groupId = randomUUID();
  await db
    .insert(directoryGroups)
    .values({ id: groupId, displayName: name, createdAt, changedAt: createdAt });
  const userName = people.driver.email;
  await db.insert(directoryUsers).values({ userId: id, userName, createdAt, changedAt: createdAt });
  await db.insert(directoryMembers).values({ groupId, userId: id });
  const announcementId = await things.announcementOf(fixture);
  await db.update(announcements).set({ authorId: id }).where(eq(announcements.id, announcementId));
}

/** Creates two people with one of everything: a ride they share, a room, cards, licenses, alerts, reports. */
export async function openVictims(app: CallingApp): Promise<Victims> {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  await writeTexts(fixture);
  await things.tagOf(fixture, 'driver');
  await things.alertOf(fixture, 'driver');
  await things.licenseOf(fixture, 'driver');
  await things.shareOf(fixture, 'driver');
  await things.applicationTo(fixture, 'driver');
  await things.placeOf(fixture);
  await readEvents(app, driver);
  await things.reportOf(fixture);
  await things.undeliveredOf(fixture);
  await things.recurringOf(fixture, 'driver');
  await app.pool.query("update rides set visibility = 'all contacts' where driver_id = $1", [driver.id]);
  await things.disputeOf(fixture);
  await things.changeOf(fixture);
  await giveSecondFactor(app.platform, driver.id);
  await connect(fixture);
  const card = await addCard(app, passenger);
  await app.deliver();
  const objects = new Map([
    ['a card of the provider', card.id],
    ...(await objectsOf(app, [driver.id, passenger.id, fixture.ride.id, fixture.request.id])),
  ]);
  const { rows } = await app.pool.query<{ phone: string; plate: string }>(
    'select phone, plate from users join vehicles on vehicles.owner_id = users.id where users.id = $1',
    [driver.id],
  );
  const [{ phone, plate } = { phone: mark, plate: mark }] = rows;
  return {
    people: [driver, passenger],
    objects,
    secrets: [mark, driver.email, passenger.email, phone, plate],
    marks: [driver.id, passenger.id, fixture.ride.id, fixture.request.id, fixture.bookingId],
  };
}

/** An event gets its short address when it is first read. */
async function readEvents(app: CallingApp, organizer: TestPerson): Promise<void> {
  const { rows } = await app.pool.query<{ id: string }>('select id from events where organizer_id = $1', [
    organizer.id,
  ]);
  for (const { id } of rows) await app.ok(organizer, eventDetail, { id });
}

/** Puts the mark into every text that one of them may write. */
async function writeTexts({ app, people, ride }: AccessFixture): Promise<void> {
  const { driver, passenger } = people;
  const note = `Ring at ${mark}`;
  await app.platform.db.execute(sql`update rides set note = ${note} where id = ${ride.id}`);
  const line = { roomid: ride.id, clientId: randomUUID(), text: `Meet at ${mark}` };
  const { seq } = await app.ok(driver, sendMessage, line);
  await app.ok(passenger, reportMessage, { roomid: ride.id, seq, reason: 'other', words: mark });
  await app.ok(passenger, saveTrustedContact, { name: mark, phone: '', email: `${mark}@example.com` });
  await app.ok(driver, updateContact, { id: passenger.id, remark: mark, tagIds: [] });
  const { id } = await app.ok(passenger, postFeedback, { subject: mark, message: mark });
  await app.ok(passenger, replyToTeam, { id, text: mark });
  await app.ok(driver, createAddress, { ...spots.soquel, label: 'home', detail: mark });
}

const tablesWithIds = `
  select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'id' and data_type in ('uuid', 'text')
  order by table_name`;
const allTables = `
  select table_name as name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`;

/** The id of one row of this person from each table in which they have rows. */
async function objectsOf({ pool }: CallingApp, marks: readonly string[]): Promise<[string, string][]> {
  const { rows: tables } = await pool.query<{ name: string }>(tablesWithIds);
  const found: [string, string][] = marks.slice(1).map((id, index) => [`the pair's ${index}`, id]);
  for (const { name } of tables) {
    if (ownBookkeeping.includes(name)) continue;
    const { rows } = await pool.query<{ id: string }>(
      `select id::text as id from "${name}" t where t::text ~ $1 order by id limit 1`,
      [marks.join('|')],
    );
    for (const { id } of rows) found.push([name, id]);
  }
  return found;
}

/**
 * The victims' rows, as one hash for each table. It leaves out rows with an attacker's id: those are the
 * attacker's actions (a contact request, a block, a report), not the victims' data.
 */
export async function hashVictimRows(
  { pool }: CallingApp,
  { marks }: Victims,
  attackers: readonly TestPerson[],
): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(allTables);
  const parts = tables
    .filter(({ name }) => !ownBookkeeping.includes(name) && !name.startsWith('event_log'))
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as stands
         from "${name}" t where t::text ~ $1 and t::text !~ $2`,
    );
  const { rows } = await pool.query<{ name: string; stands: string }>(parts.join(' union all '), [
    marks.join('|'),
    attackers.map(({ id }) => id).join('|'),
  ]);
  return Object.fromEntries(rows.map(({ name, stands }) => [name, stands]));
}
