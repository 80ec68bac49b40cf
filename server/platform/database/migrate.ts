import fs from 'node:fs';
import path from 'node:path';
import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import { appVersion } from '#contract/app/endpoints.ts';
import { applyMigrations } from './apply-migrations.ts';
import { admitCallsRole, type CallsRole } from './calls-role.ts';
import { keepConnection } from './db.ts';
import { migrateJobs } from '../queue/job-runner.ts';

/** Any number, the same in every process: the process that holds this lock migrates. */
const migrationLock = 7_302_001;
const releaseSetting = 'schema.release';

const migrationsFolder = path.join(import.meta.dirname, '..', '..', 'migrations');

const migration = z.object({
  tag: z.string(),
  /** When it was written; the order of all migrations. */
  when: z.number(),
});
type Migration = z.output<typeof migration>;
const journal = z.object({ entries: z.array(migration) });

/** The name of a release, and the migrations it knows, oldest first. */
export interface Release {
  version: string;
  migrations: readonly Migration[];
}

const thisRelease = (): Release => {
  const text = fs.readFileSync(path.join(migrationsFolder, 'meta', '_journal.json'), 'utf8');
  return { version: appVersion, migrations: journal.parse(JSON.parse(text)).entries };
};

/**
 * Brings the schema up to date; safe when several processes start at once.
 * @param pool of the role that owns the schema, or will
 * @param calls the role that the rest of the process works as, where that is another
 * @throws Error when a newer release has been at work on it: what this one writes could be wrong there.
 */
export async function migrateDatabase(
  pool: Pool,
  calls: CallsRole | null = null,
  release: Release = thisRelease(),
): Promise<void> {
  // Outside the pool, so that no limit on statements ends a migration.
  const { client, end } = await keepConnection(pool, 'sameway migration', () => undefined, null);
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await refuseNewerSchema(client, release);
    // A role without the right to migrate does not try: another process has migrated.
    if (await isCurrent(client, release)) return;
    await applyMigrations(client, { folder: migrationsFolder, tags: knownMigrations() });
    // A connection that breaks while it is idle is of no concern: the next question has another one.
    await migrateJobs(pool, () => undefined);
    await noteRelease(client, release);
    if (calls !== null) await admitCallsRole(client, calls);
  } finally {
    // The lock ends with its connection.
    end();
  }
}

/**
 * Whether the schema has everything that this release needs, for a role that does not own it.
 * @throws Error if it does not: only the owner can migrate it.
 */
async function isCurrent(client: ClientBase, { version, migrations }: Release): Promise<boolean> {
  const { rows } = await client.query<{ isLimited: boolean }>(
    `select coalesce((select not pg_has_role(relowner, 'usage') from pg_class
       where oid = to_regclass('drizzle.__drizzle_migrations')), false) as "isLimited"`,
  );
  if (rows[0]?.isLimited !== true) return false;
  const { rows: done } = await client.query<{ found: boolean }>(
    'select exists (select from drizzle.__drizzle_migrations where created_at >= $1) as found',
    [migrations.at(-1)?.when ?? 0],
  );
  if (done[0]?.found === true) return true;
  throw new Error(
    `Sameway ${version} needs the schema brought up to date, which the role of this connection may not do. Set DATABASE_MIGRATION_URL to the address with the role that owns the tables, here or at another process that starts first.`,
  );
}

async function refuseNewerSchema(client: ClientBase, { version, migrations }: Release): Promise<void> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  );
  if (tables[0]?.found !== true) return;
  const known = migrations.at(-1);
  const { rows } = await client.query<{ newer: number }>(
    'select count(*)::int as newer from drizzle.__drizzle_migrations where created_at > $1',
    [known?.when ?? 0],
  );
  if ((rows[0]?.newer ?? 0) === 0) return;
  const { rows: noted } = await client.query<{ value: { version: string; migration: string } }>(
    'select value from settings where name = $1',
    [releaseSetting],
  );
  const needed = noted[0]?.value;
  const by = needed === undefined ? 'a newer release' : `Sameway ${needed.version} (${needed.migration})`;
  throw new Error(
    `It was brought up to date by ${by}, and this is Sameway ${version}, which knows the schema up to ${known?.tag ?? 'nothing'} only. Start that release or a newer one, or restore a backup from before the upgrade.`,
  );
}

/** The release that last used a database, and its last migration. */
export async function releaseOf(client: ClientBase): Promise<{ release: string; migration: string }> {
  const { rows } = await client.query<{ value: unknown }>('select value from settings where name = $1', [
    releaseSetting,
  ]);
  const { version: release, migration: last } = notedRelease.parse(rows[0]?.value);
  return { release, migration: last };
}
const notedRelease = z.object({ version: z.string(), migration: z.string() });

/** The names of all migrations that this release knows, the oldest first. */
export const knownMigrations = (): string[] => thisRelease().migrations.map(({ tag }) => tag);

/** For an older release that is started on this database later. */
async function noteRelease(client: ClientBase, { version, migrations }: Release): Promise<void> {
  await client.query(
    'insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value where settings.value <> excluded.value',
    [releaseSetting, JSON.stringify({ version, migration: migrations.at(-1)?.tag ?? '' })],
  );
}
