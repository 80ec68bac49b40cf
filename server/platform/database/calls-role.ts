import { sql } from 'drizzle-orm';
import { escapeIdentifier, escapeLiteral, type ClientBase } from 'pg';

/**
 * The role that the app uses for everything but migrations: it reads and writes rows, owns nothing, and
 * cannot create, change or drop anything.
 */
export interface CallsRole {
  name: string;
  /** The password for creating the role; null if it exists already. */
  password: string | null;
}

/** The schemas with tables: those of Sameway and of the job queue. */
const worked = ['public', 'graphile_worker'];
/** Tables whose rows the role adds and reads, and neither changes nor deletes. */
const onlyAdded = ['admin_actions'];

/**
 * Grants a role the right to read and write the rows of all tables, and nothing else; creates the role if it
 * is missing and the owner may. It changes nothing if all rights are there, so that every start can call it.
 * @param owner who owns the schema
 * @throws Error if the role is missing and the owner may not create one
 */
export async function admitCallsRole(owner: ClientBase, role: CallsRole): Promise<void> {
  const { rows } = await owner.query<{ isOwner: boolean; exists: boolean; mayMake: boolean }>(
    `select current_user = $1 as "isOwner", exists (select from pg_roles where rolname = $1) as exists,
       (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "mayMake"`,
    [role.name],
  );
  const { isOwner, exists, mayMake } = rows[0]!;
  if (isOwner) return;
  if (!exists) await makeRole(owner, role, mayMake);
  await closeToAll(owner, role.name);
  for (const statement of await missingRights(owner, role.name)) await owner.query(statement);
}

async function makeRole(owner: ClientBase, { name, password }: CallsRole, mayMake: boolean): Promise<void> {
  if (!mayMake || password === null)
    throw new Error(
      `There is no role ${name}, and the role of DATABASE_MIGRATION_URL may make none: create role ${escapeIdentifier(name)} login password '…'.`,
    );
  await owner.query(`create role ${escapeIdentifier(name)} login password ${escapeLiteral(password)}`);
}

/** Revokes what PostgreSQL allows every role by default. */
async function closeToAll(owner: ClientBase, role: string): Promise<void> {
  const { rows } = await owner.query<{ database: string; makes: boolean; hasTemporary: boolean }>(
    `select current_database() as database, has_schema_privilege($1, 'public', 'create') as makes,
       has_database_privilege($1, current_database(), 'temporary') as "hasTemporary"`,
    [role],
  );
  const { database, makes, hasTemporary } = rows[0]!;
  if (makes) await owner.query('revoke create on schema public from public');
  if (hasTemporary)
    await owner.query(`revoke temporary on database ${escapeIdentifier(database)} from public`);
}

/** The statements that grant a role its missing rights. */
async function missingRights(owner: ClientBase, role: string): Promise<string[]> {
  const { rows } = await owner.query<{ statement: string }>(
    `with named as (
       select oid, nspname, nspname || '.' || quote_ident(relname) as name, relkind, relrowsecurity,
         nspname = 'public' and relname = any($3) as "isOnlyAdded"
       from (
         select pg_class.oid, nspname, relname, relkind, relrowsecurity
         from pg_class join pg_namespace on pg_namespace.oid = relnamespace
         -- The days of the event log are reached through the log.
         where nspname = any($2) and relkind in ('r', 'p', 'v', 'S')
           and (not relispartition or relname = 'event_log_default')
       ) found
     )
     select format('grant usage on schema %I to %I', nspname, $1::text) as statement
     from pg_namespace where nspname = any($2 || array['drizzle']) and not has_schema_privilege($1, oid, 'usage')
     union all
     select format('grant select, insert on %s to %I', name, $1::text) from named
     where case when relkind = 'S' then false else not (
       has_table_privilege($1, oid, 'select') and has_table_privilege($1, oid, 'insert')) end
     union all
     select format('grant update, delete on %s to %I', name, $1::text) from named
     where case when relkind = 'S' or "isOnlyAdded" then false else not (
       has_table_privilege($1, oid, 'update') and has_table_privilege($1, oid, 'delete')) end
     union all
     select format('grant usage, select on sequence %s to %I', name, $1::text) from named
     where case when relkind = 'S' then not has_sequence_privilege($1, oid, 'usage') else false end
     union all
     -- The job queue hides its rows from all but their owner.
     select format('alter table %s disable row level security', name) from named where relrowsecurity
     union all
     select format('grant execute on function %s to %I', oid::regprocedure, $1::text)
     from pg_proc where pronamespace = any(select oid from pg_namespace where nspname = any($2))
       and not has_function_privilege($1, oid, 'execute')
     union all
     select format('grant select on drizzle.__drizzle_migrations to %I', $1::text)
     where not has_table_privilege($1, 'drizzle.__drizzle_migrations', 'select')`,
    [role, worked, onlyAdded],
  );
  return rows.map(({ statement }) => statement);
}

const owns = `(select pg_has_role(relowner, 'usage') from pg_class where oid = 'public.settings'::regclass)`;
/** True where the role that asks owns the schema, and so could change or drop it. */
export const mayChangeSchema = sql<boolean>`${sql.raw(owns)}`;

/** Whether the role of a connection owns the schema. */
export async function ownsSchema(connection: { query: ClientBase['query'] }): Promise<boolean> {
  const { rows } = await connection.query<{ owns: boolean }>(`select ${owns} as owns`);
  return rows[0]?.owns === true;
}
