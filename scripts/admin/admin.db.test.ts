import { afterAll, beforeAll, expect, test } from 'vitest';
import { longestMaintenanceMessage } from '../../server/platform/maintenance.ts';
import { MovableClock } from '../../server/platform/clock.ts';
import { databaseOf } from '../../server/platform/database/db.ts';
import { openTestDatabase } from '../../server/testing/database.ts';
import { newPerson, type TestPerson } from '../../server/testing/people.ts';
import { commandLine } from './run-cli.ts';

const { own, drop } = await openTestDatabase();
afterAll(drop);

let anna: TestPerson;
beforeAll(async () => {
  anna = await newPerson({ db: databaseOf(own), clock: new MovableClock() }, 'Anna');
});

const { run, start, told } = commandLine(own);

/** How many emails wait to be sent. */
async function letters(): Promise<number> {
  const { rows } = await own.query<{ count: number }>(
    `select count(*)::int as count from graphile_worker.jobs where task_identifier = 'letter'`,
  );
  return rows[0]!.count;
}

const nothing = '00000000-0000-4000-8000-000000000000';
const titles = ['--title-en', 'A fair', '--title-zh', '市集', '--text-en', 'Come.', '--text-zh', '请来。'];

test('a key is made, listed and revoked', async () => {
  const words = ['keys', 'make', anna.email, '--name', 'Report', '--scopes', 'rides:read', '--days', 'never'];
  const made = (await told(...words)) as { id: string };
  expect(made).toMatchObject({ name: 'Report', scopes: ['rides:read'], expiresAt: null });
  expect(made).toHaveProperty('secret', expect.stringMatching(/^sameway_/));
  expect(await told('keys')).toMatchObject([{ id: made.id, email: anna.email, state: 'valid' }]);
  expect(await told('keys', 'revoke', made.id)).toEqual({ id: made.id, revokedAt: expect.any(String) });
  const { said } = await run('keys');
  expect(said).toContain(`revoked  ${made.id}`);
});

test('a webhook is added, tried, given a new secret, and removed', async () => {
  const words = ['webhooks', 'add', 'https://example.com/hook', '--name', 'Office'];
  const { id } = (await told(...words, '--events', 'ride.published')) as { id: string };
  expect(await told('webhooks')).toMatchObject([{ id, name: 'Office', events: ['ride.published'] }]);
  expect(await told('webhooks', 'test', id)).toEqual({ id });
  expect(await told('webhooks', 'renew-secret', id)).toEqual({
    id,
    secret: expect.stringMatching(/^whsec_/),
  });
  expect(await told('webhooks', 'remove', id)).toEqual({ id });
  expect(await run('webhooks')).toMatchObject({ status: 0, said: 'There are no webhooks.' });
});

test('an announcement is made and ended', async () => {
  const until = ['--until', '2100-12-01T18:00Z'];
  const made = (await told('announcements', 'make', ...until, ...titles)) as { id: string }[];
  expect(made).toMatchObject([{ title: { en: 'A fair', zh: '市集' }, state: 'shown', community: '' }]);
  const { id } = made[0]!;
  expect(await told('announcements', 'end', id)).toMatchObject([{ id, state: 'over' }]);
  const again = await run('announcements', 'end', id);
  expect(again).toEqual({ status: 1, said: '', complained: 'This announcement has already ended.' });
});

test('a ticket is listed, given, answered, noted, closed with what came of it, and opened again', async () => {
  const db = databaseOf(own);
  const zoe = await newPerson({ db, clock: new MovableClock() }, 'Zoe');
  const sue = await newPerson({ db, clock: new MovableClock() }, 'Sue', { staffRole: 'moderator' });
  await own.query(
    `insert into person_reports (id, reporter_id, subject_id, reason, words, created_at)
     values (gen_random_uuid(), $1, $2, 'spam', 'Sells things.', now())`,
    [zoe.id, anna.id],
  );
  const listed = (await told('tickets', 'list', '--kind', 'report')) as { tickets: { number: number }[] };
  expect(listed).toMatchObject({
    tickets: [{ kind: 'report', state: 'open', author: zoe.email, about: anna.email, assignee: null }],
    next: null,
  });
  const number = String(listed.tickets[0]!.number);
  expect(await told('tickets', 'assign', number, '--to', sue.email)).toMatchObject({ assignee: sue.email });
  expect(await told('tickets', 'assign', number, '--to', 'nobody')).toMatchObject({ assignee: null });
  const before = await letters();
  expect(await told('tickets', 'answer', number, '--text', 'We look into it.')).toMatchObject({
    state: 'waiting',
  });
  expect(await letters()).toBe(before + 1);
  await told('tickets', 'note', number, '--text', 'Looks true.');
  const unsaid = await run('tickets', 'close', number);
  expect(unsaid).toEqual({ status: 1, said: '', complained: 'Please describe the outcome.' });
  await told('tickets', 'close', number, '--outcome', 'Warned.');
  expect(await run('tickets', 'close', number, '--outcome', 'x')).toMatchObject({ status: 1, said: '' });
  expect(await told('tickets', 'reopen', number)).toMatchObject({
    state: 'open',
    message: 'Sells things.',
    messages: [
      { kind: 'answer', writer: null, text: 'We look into it.' },
      { kind: 'note', text: 'Looks true.' },
      { kind: 'note', text: 'Warned.' },
    ],
  });
  const { said } = await run('tickets', 'show', number);
  expect(said).toContain('We look into it.');
  await told('revoke', sue.email);
});

/** The deeds in the log, the newest first, as the command line tells them. */
async function deeds(): Promise<
  { action: string; admin: string | null; person: string | null; note: string }[]
> {
  const { entries } = (await told('log', '--size', '200')) as { entries: Awaited<ReturnType<typeof deeds>> };
  return entries;
}

test('people are found, suspended with their sessions, and restored; each deed is in the log', async () => {
  const db = databaseOf(own);
  const ugo = await newPerson({ db, clock: new MovableClock() }, 'Ugo Unruly');
  expect(await told('users', 'find', 'Unruly')).toMatchObject({
    users: [{ id: ugo.id, email: ugo.email, role: null, suspendedAt: null }],
    total: 1,
  });
  const suspended = await told('users', 'suspend', ugo.email, '--reason', 'Shouts.');
  expect(suspended).toMatchObject({ suspendedAt: expect.any(String), suspendedReason: 'Shouts.' });
  const open = await own.query('select from sessions where user_id = $1 and ended_at is null', [ugo.id]);
  expect(open.rowCount).toBe(0);
  const { rows } = await own.query<{ count: number }>(
    `select count(*)::int as count from event_log, jsonb_array_elements(items) as item
     where item ->> 'name' = 'user.suspended' and item #>> '{payload,userId}' = $1`,
    [ugo.id],
  );
  expect(rows[0]!.count).toBe(1);
  expect(await told('users', 'find', '--only', 'suspended')).toMatchObject({ users: [{ email: ugo.email }] });
  const again = await run('users', 'suspend', ugo.email, '--reason', 'Shouts.');
  expect(again).toEqual({ status: 1, said: '', complained: 'Another admin already did this.' });
  expect(await told('users', 'restore', ugo.email)).toMatchObject({ suspendedAt: null });
  expect((await deeds()).slice(0, 2)).toMatchObject([
    { action: 'user.unsuspended', admin: null, person: ugo.email },
    { action: 'user.suspended', admin: null, person: ugo.email, note: 'Shouts.' },
  ]);
});

test('jobs are counted; a failed delivery is listed, sent again, and another one dropped', async () => {
  const failed = (what: string, at: string) =>
    own.query<{ id: string }>(
      `insert into failed_deliveries (id, task, recipient, what, payload, error, attempts, at)
       values (gen_random_uuid(), 'letter', $1, $2, $3, 'connect ECONNREFUSED', 12, $4) returning id`,
      [anna.email, what, JSON.stringify({ to: anna.email, subject: what, text: what }), at],
    );
  const [first, second] = [
    await failed('Hello', '2026-03-02T08:00:00Z'),
    await failed('Bye', '2026-03-02T08:01:00Z'),
  ].map(({ rows }) => rows[0]!.id);
  const counted = (await told('jobs')) as { task: string; failed: number; waiting: number }[];
  expect(counted[0]).toMatchObject({ task: 'letter', failed: 2, lastError: 'ECONNREFUSED' });
  expect(await told('deliveries', '--size', '1')).toMatchObject({ undelivered: [{ id: second }], total: 2 });
  expect((await run('deliveries', '--size', '1')).said).toContain('More: --offset 1');
  const before = await letters();
  expect(await told('deliveries', 'again', first!)).toEqual({ id: first, drop: false });
  expect(await letters()).toBe(before + 1);
  expect(await told('deliveries', 'drop', second!)).toEqual({ id: second, drop: true });
  expect(await told('deliveries')).toEqual({ undelivered: [], total: 0 });
  expect(await run('deliveries', 'again', first!)).toMatchObject({ status: 1, said: '' });
  expect((await deeds()).slice(0, 2)).toMatchObject([
    { action: 'undelivered.dropped', person: anna.email, note: 'Bye' },
    { action: 'undelivered.again', person: anna.email, note: 'Hello' },
  ]);
});

test('listeners say how far they are behind', async () => {
  await own.query(`insert into event_cursors (consumer, seq) values ('slow', 0)`);
  const all = (await told('listeners')) as { listener: string; unheard: number; lagMs: number }[];
  expect(all).toContainEqual({ listener: 'slow', unheard: expect.any(Number), lagMs: expect.any(Number) });
  expect(all.find(({ listener }) => listener === 'slow')!.unheard).toBeGreaterThan(0);
});

test('a canned answer is kept, changed and deleted', async () => {
  const words = ['--title', 'Thanks', '--text', 'Thank you, {name}.', '--language', 'en'];
  const { id } = (await told('answers', 'save', ...words)) as { id: string };
  await told('answers', 'save', id, '--title', 'Many thanks', ...words.slice(2));
  expect(await told('answers')).toMatchObject([{ id, title: 'Many thanks', language: 'en' }]);
  expect(await told('answers', 'delete', id)).toEqual({ id });
  expect(await told('answers')).toEqual([]);
  expect((await deeds()).map(({ action }) => action).slice(0, 3)).toEqual([
    'answer.deleted',
    'answer.saved',
    'answer.saved',
  ]);
});

test('a group gets a role, which its members have at once, and loses it', async () => {
  const db = databaseOf(own);
  const mona = await newPerson({ db, clock: new MovableClock() }, 'Mona');
  await own.query(
    `insert into directory_users (user_id, user_name, created_at, changed_at) values ($1, 'mona', now(), now())`,
    [mona.id],
  );
  await own.query(
    `with made as (insert into directory_groups (id, display_name, created_at, changed_at)
       values (gen_random_uuid(), 'Helpers', now(), now()) returning id)
     insert into directory_members (group_id, user_id) select id, $1 from made`,
    [mona.id],
  );
  expect(await told('groups', 'map', 'Helpers', '--role', 'support')).toEqual([
    { group: 'Helpers', role: 'support' },
  ]);
  expect(await told('roles')).toContainEqual(expect.objectContaining({ email: mona.email, role: 'support' }));
  expect(await told('groups')).toMatchObject({ groups: [{ name: 'Helpers', members: 1 }] });
  expect(await told('groups', 'map', 'Helpers', '--role', 'none')).toEqual([]);
  expect(await told('roles')).not.toContainEqual(expect.objectContaining({ email: mona.email }));
  expect((await deeds()).filter(({ action }) => action === 'group.mapped')).toMatchObject([
    { note: 'Helpers: –' },
    { note: 'Helpers: support' },
  ]);
});

test('settings are told with their sources, without secrets', async () => {
  const all = (await told('settings')) as { name: string }[];
  expect(all).toContainEqual({
    name: 'DATA_DIR',
    value: expect.any(String),
    isSecret: false,
    source: 'environment',
  });
  expect((await run('settings')).said).not.toContain('password');
});

test('maintenance begins and ends', async () => {
  const begun = await told('maintenance', 'on', '--message', 'Back at 3 PM.');
  expect(begun).toEqual({ message: 'Back at 3 PM.', sinceAt: expect.any(String) });
  const { said } = await run('maintenance');
  expect(said).toMatch(/^People are kept out since .*, and read: Back at 3 PM\.$/);
  expect(await told('maintenance', 'off')).toBeNull();
  const { rows } = await own.query<{ action: string }>(
    `select action from admin_actions where action like 'maintenance.%' order by at`,
  );
  expect(rows.map(({ action }) => action)).toEqual(['maintenance.begun', 'maintenance.ended']);
});

test('a role is given, listed and taken', async () => {
  expect(await told('grant', anna.email)).toEqual({ email: anna.email, role: 'owner' });
  expect(await told('roles')).toMatchObject([{ email: anna.email, role: 'owner' }]);
  const last = {
    status: 1,
    said: '',
    complained: 'This is the last owner. Make another person an owner first.',
  };
  expect(await run('revoke', anna.email)).toEqual(last);
  expect(await run('reset-factors', anna.email)).toMatchObject({ status: 0 });
});

test('what is refused ends with status 1 and its sentence', async () => {
  const noAccount = 'There is no account with the email nobody@example.com.';
  const make = ['--name', 'Report', '--scopes', 'rides:read'];
  const past = ['--until', '2020-12-01T18:00Z'];
  const ended = await Promise.all([
    run('grant', 'nobody@example.com'),
    run('reset-factors', 'nobody@example.com'),
    run('keys', 'make', 'nobody@example.com', ...make),
    run('keys', 'revoke', nothing),
    run('webhooks', 'remove', nothing),
    run('announcements', 'end', nothing),
    run('tickets', 'show', '999'),
    run('announcements', 'make', ...past, ...titles),
    run('users', 'suspend', 'nobody@example.com', '--reason', 'Shouts.'),
    run('users', 'suspend', anna.email),
    run('answers', 'delete', nothing),
    run('deliveries', 'drop', nothing),
    run('disputes', 'resolve', nothing, '--refund-cents', '0', '--decision', 'No.'),
  ]);
  expect(ended.map(({ status, said }) => [status, said])).toEqual(ended.map(() => [1, '']));
  expect(ended.map(({ complained }) => complained)).toEqual([
    `${noAccount} Sign up in the app first.`,
    noAccount,
    noAccount,
    'We couldn’t find this API key.',
    'We couldn’t find this webhook.',
    'We couldn’t find this.',
    'We couldn’t find this ticket.',
    'Please select an end in the future.',
    noAccount,
    'Please enter a reason.',
    'We couldn’t find this answer.',
    'We couldn’t find this.',
    'We couldn’t find this dispute.',
  ]);
});

test('a field that is wrong ends with status 2 and is named', async () => {
  const make = ['keys', 'make', anna.email, '--name', 'Report'];
  const ended = await Promise.all([
    run(...make),
    run(...make, '--scopes', 'rides:read', '--days', 'soon'),
    run('webhooks', 'add', 'here', '--name', 'Office', '--events', 'ride.published'),
    run('announcements', 'make', '--until', 'tomorrow', ...titles),
    run('maintenance', 'on', '--message', 'x'.repeat(longestMaintenanceMessage + 1)),
    run('tickets', 'list', '--state', 'lost'),
    run('tickets', 'answer', '1', '--text', ' '),
    run('users', '--size', '0'),
    run('answers', 'save', '--title', 'Hi', '--text', 'Hi {surname}', '--language', 'en'),
    run('groups', 'map', 'Helpers', '--role', 'owner'),
    run('disputes', 'resolve', nothing, '--refund-cents', 'all', '--decision', 'Yes.'),
    run('disputes', '--state', 'lost'),
  ]);
  expect(ended.map(({ status, said }) => [status, said])).toEqual(ended.map(() => [2, '']));
  expect(ended.map(({ complained }) => complained.split(':')[0])).toEqual([
    'scopes',
    'days',
    'url',
    'untilAt',
    'message',
    'state',
    'text',
    'size',
    'text',
    'role',
    'refundCents',
    'state',
  ]);
});

test('a command is a process that prints and ends with its status', async () => {
  const [listed, refused, typed] = await Promise.all([
    start('keys', '--json'),
    start('keys', 'revoke', nothing),
    start('keys', 'make'),
  ]);
  expect(listed).toMatchObject({ status: 0, complained: '' });
  expect(JSON.parse(listed.said)).toMatchObject([{ email: anna.email }]);
  expect(refused).toEqual({ status: 1, said: '', complained: 'We couldn’t find this API key.' });
  expect(typed).toMatchObject({ status: 2, said: '' });
});

test('words that are no command end with status 2, and it is said how they are typed', async () => {
  const ended = await Promise.all([
    run(),
    run('unknown'),
    run('keys', 'make'),
    run('tickets', 'assign', '1'),
  ]);
  expect(ended.map(({ status, said }) => [status, said])).toEqual(ended.map(() => [2, '']));
  const [none, unknown, keys, tickets] = ended.map(({ complained }) => complained);
  expect(none).toContain('npm run admin -- grant');
  expect(unknown).toContain('npm run admin -- announcements make');
  expect(keys).toMatch(/^Makes API keys/);
  expect(tickets).toMatch(/^Messages to the operator/);
});

test('a key of links is replaced, and the values of SEAL_KEYS are counted', async () => {
  const none = [
    { name: 'signing', newestSignsAt: null, formerUntil: [] },
    { name: 'boarding', newestSignsAt: null, formerUntil: [] },
  ];
  expect(await told('rotate-key')).toEqual(none);
  const [former] = (await told('rotate-key', 'signing')) as [{ newestSignsAt: string }];
  expect(former).toMatchObject({ formerUntil: [expect.stringMatching(/Z$/)] });
  expect(Date.parse(former.newestSignsAt)).toBeGreaterThan(Date.now());
  expect((await run('rotate-key')).said).toContain('signing: the newest key signs from ');
  expect(await told('rotate-key', 'signing', 'at-once')).toEqual([none[0]]);
  const { rows } = await own.query(
    `select note from admin_actions where action = 'secret.rotated' order by id`,
  );
  expect(rows).toEqual([{ note: 'signing' }, { note: 'signing, at once' }]);
  expect(await told('seal-keys', 'renew')).toEqual({ sealed: 0, unreadable: 0, current: 0, former: 0 });
  for (const wrong of [
    ['rotate-key', 'other'],
    ['rotate-key', 'signing', 'now'],
    ['seal-keys', 'all'],
  ])
    expect((await run(...wrong)).status).toBe(2);
});
