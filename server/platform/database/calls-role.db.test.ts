import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { callsRole, openTestDatabase } from '../../testing/database.ts';
import { newPerson } from '../../testing/people.ts';
import { MovableClock } from '../clock.ts';
import { keepLogPartitions } from '../events/log-partitions.ts';
import { admitCallsRole, ownsSchema } from './calls-role.ts';
import { scratchFolder } from './database-folder.ts';
import { databaseOf } from './db.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { openDatabase } from './open-database.ts';

const { pool, own, drop } = await openTestDatabase();
afterAll(drop);

const denied = { code: '42501' };

test.each([
  ['create table scratch (id int)'],
  ['create temporary table scratch (id int)'],
  ['create table copied as select * from users'],
  ['alter table users add column scratch int'],
  ['alter table users disable trigger user'],
  ['alter table users owner to current_user'],
  ['drop table users'],
  ['drop table event_log_default'],
  ['truncate users'],
  ['create index on users (name)'],
  ['drop index event_log_in_order'],
  [
    'create trigger scratch before insert on users for each row execute function suppress_redundant_updates_trigger()',
  ],
  ['create function scratch() returns int language sql as $$ select 1 $$'],
  ['create function public.make_event_log_day(integer, integer) returns void language sql as $$ select $$'],
  ['create view scratch as select * from users'],
  ['create schema scratch'],
  ['create extension hstore'],
  ['create role scratch'],
  ['create database scratch'],
  ['alter system set work_mem = 1'],
  ['set session_replication_role = replica'],
  ["copy users to program 'cat'"],
  ["select pg_read_file('postgresql.conf')"],
  ['select pg_switch_wal()'],
  ['insert into drizzle.__drizzle_migrations (hash, created_at) values ($$a$$, 1)'],
  ["update admin_actions set note = 'never happened'"],
  ['update admin_actions set at = now() where id = 1'],
  ['delete from admin_actions'],
  ['select from admin_actions for update'],
  [
    "insert into admin_actions (id, action, at) values (1, 'a', now()) on conflict (id) do update set action = 'b'",
  ],
])('the role of calls may not: %s', async (statement) => {
  await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
});

test('it owns nothing, is no superuser, and belongs to no other role', async () => {
  expect(await ownsSchema(pool)).toBe(false);
  expect(await ownsSchema(own)).toBe(true);
  const { rows } = await own.query(
    `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
       (select count(*)::int from pg_class where relowner = pg_roles.oid) as tables,
       (select count(*)::int from pg_proc where proowner = pg_roles.oid) as functions,
       (select count(*)::int from pg_auth_members where member = pg_roles.oid) as roles
     from pg_roles where rolname = $1`,
    [callsRole.name],
  );
  expect(rows).toEqual([
    {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      tables: 0,
      functions: 0,
      roles: 0,
    },
  ]);
});

test('it reads and writes the rows of every table, those of the job queue too; to the log of the team it only adds', async () => {
  const { rows } = await own.query<{ name: string }>(
    `select pg_class.oid::regclass::text as name from pg_class
     where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and relkind in ('r', 'p')
       and not (relispartition and relname <> 'event_log_default')
       and (relrowsecurity or not (has_table_privilege($1, oid, 'select') and has_table_privilege($1, oid, 'insert')
         and has_table_privilege($1, oid, 'update') = (relname <> 'admin_actions')
         and has_table_privilege($1, oid, 'delete') = (relname <> 'admin_actions')
         and not has_table_privilege($1, oid, 'truncate') and not has_table_privilege($1, oid, 'trigger')
         and not has_table_privilege($1, oid, 'references')))`,
    [callsRole.name],
  );
  expect(rows).toEqual([]);
  const client = await own.connect();
  const asked: string[] = [];
  const said = client.query.bind(client);
  // If the role already has all rights, a start changes nothing.
  await admitCallsRole(
    {
      ...client,
      query: (text: string, values?: unknown[]) => {
        asked.push(text.trim().split(' ')[0]!);
        return said(text, values);
      },
    } as unknown as Client,
    callsRole,
  );
  client.release();
  expect(new Set(asked)).toEqual(new Set(['select', 'with']));
});

test('when an account goes, its name and what was noted about it go from the log of the team, and nothing else', async () => {
  const place = { db: databaseOf(own), clock: new MovableClock() };
  const { id: gone } = await newPerson(place, 'Gone');
  const { id: other } = await newPerson(place, 'Other');
  const add = (admin: string, person: string, note: string) =>
    pool.query(
      `insert into admin_actions (admin_id, person_id, action, note, at) values ($1, $2, 'user.suspended', $3, now())`,
      [admin, person, note],
    );
  await add(gone, other, 'about another');
  await add(other, gone, 'about the one who goes');
  await add(other, other, 'about themselves');
  const log = async () =>
    (
      await own.query<object>(
        `select admin_id as admin, person_id as person, note from admin_actions
         where admin_id = any($1) or person_id = any($1) or note = '' order by id`,
        [[gone, other]],
      )
    ).rows;
  // A change of something else leaves the log alone.
  await pool.query(`update users set name = 'New' where id = $1`, [gone]);
  expect(await log()).toHaveLength(3);
  await pool.query(`update users set deleted_at = now() where id = $1`, [gone]);
  expect(await log()).toEqual([
    { admin: null, person: other, note: 'about another' },
    { admin: other, person: null, note: '' },
    { admin: other, person: other, note: 'about themselves' },
  ]);
});

test('it creates and drops days of the event log through two functions, which do nothing else', async () => {
  const db = databaseOf(pool);
  await keepLogPartitions(db, ['one']);
  await own.query(
    `create table event_log_20200101 partition of event_log for values from ('2020-01-01') to ('2020-01-02')`,
  );
  await own.query(`insert into event_cursors (consumer, seq) values ('one', 9000000000)`);
  await keepLogPartitions(db, ['one']);
  const { rows } = await own.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event_log'::regclass`,
  );
  expect(rows.map(({ name }) => name)).not.toContain('event_log_20200101');
  expect(rows.length).toBeGreaterThanOrEqual(4);
  await expect(db.execute(sql`select make_event_log_day(32)`)).rejects.toThrow();
  await expect(db.execute(sql`select drop_event_log_days(6, 1::bigint)`)).rejects.toThrow();
});

test('the embedded database uses this role, and creates it where it is missing', async () => {
  const folder = scratchFolder('sameway-roles-', 1024 ** 3);
  const env = { DATA_DIR: folder, DATABASE_URL: undefined };
  const quiet = { onError: () => undefined };
  try {
    const first = await openDatabase(env, quiet);
    expect(first.ownsSchema).toBe(false);
    await expect(first.pool.query('drop table users')).rejects.toMatchObject(denied);
    await first.close();
    // As after a restore by hand of the owner's dump alone.
    const postgres = await startEmbeddedPostgres(`${folder}/postgres`);
    const client = new Client(postgres.connection);
    await client.connect();
    await client.query('drop owned by sameway');
    await client.query('drop role sameway');
    await client.end();
    await postgres.stop();
    const again = await openDatabase(env, quiet);
    expect((await again.pool.query<{ role: string }>('select current_user as role')).rows).toEqual([
      { role: 'sameway' },
    ]);
    await again.pool.query('select from users, graphile_worker._private_jobs');
    await again.close();
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

test('an external database: with one role as before, with two, and with the second only', async () => {
  const { host, port, user, password, connectionString } = inject('postgres');
  const name = `roles_${randomUUID().replaceAll('-', '')}`;
  await own.query(`create database ${name}`);
  const addressAs = (role: string, secret: string) => {
    const url = new URL(connectionString ?? `postgresql://localhost/${name}`);
    [url.pathname, url.username, url.password] = [`/${name}`, role, secret];
    if (connectionString === undefined) {
      url.searchParams.set('host', host ?? '');
      url.searchParams.set('port', String(port));
    }
    return url.href;
  };
  const given = new URL(connectionString ?? 'postgresql://a');
  const owner = addressAs(user ?? given.username, password ?? given.password);
  const open = (urls: { DATABASE_URL: string; DATABASE_MIGRATION_URL?: string }) =>
    openDatabase({ DATA_DIR: '.', ...urls }, { onError: () => undefined });
  const role = `calls_${name}`;
  try {
    const before = await open({ DATABASE_URL: owner });
    expect(before.ownsSchema).toBe(true);
    await before.close();
    // The first start that names the role creates it.
    const two = await open({ DATABASE_URL: addressAs(role, 'a-secret'), DATABASE_MIGRATION_URL: owner });
    expect(two.ownsSchema).toBe(false);
    await two.pool.query('select from users');
    await two.close();
    const alone = await open({ DATABASE_URL: addressAs(role, 'a-secret') });
    await alone.pool.query('select from users');
    await alone.close();
    // If it may not migrate, it says so, and how to fix it.
    await own.query(`create database ${name}_old template ${name}`);
    const old = new Client(owner.replace(`/${name}`, `/${name}_old`));
    await old.connect();
    await old.query(
      'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)',
    );
    await old.end();
    await expect(
      open({ DATABASE_URL: addressAs(role, 'a-secret').replace(`/${name}`, `/${name}_old`) }),
    ).rejects.toThrow('DATABASE_MIGRATION_URL');
  } finally {
    for (const each of [`${name}_old`, name]) await own.query(`drop database if exists ${each} with (force)`);
    await own.query(`drop role if exists ${role}`);
  }
});
