import { sql } from 'drizzle-orm';

/**
 * The run of the database: its timeline, and when it counts from. A number of a transaction means the same
 * one within a run; after a failover, a restore or a crash it may be given again.
 */
export const runOfDatabase = sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || coalesce((select stats_reset::text from pg_stat_wal), '')`;
