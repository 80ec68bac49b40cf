import { sql } from 'drizzle-orm';
import { mostJobsCounted, type JobCounts } from '#contract/admin/operations.ts';
import { deliveryTasks } from '#contract/notifications/endpoints.ts';
import type { Db } from '../database/db.ts';
import { errorName } from '../observability/error-name.ts';

/**
 * The jobs of each task: of the oldest of the queue, and of the newest that were given up; limited, so that
 * the read stays short however long an outage was. Ages are by the database's clock, which the queue uses.
 */
export async function jobsByTask(db: Db): Promise<JobCounts[]> {
  const [queued, givenUp] = await Promise.all([
    // Ids are drawn in the order in which jobs were added.
    db.execute<{
      task: string;
      waiting: number;
      retrying: number;
      spent: number;
      oldestMs: number | null;
      error: string | null;
    }>(sql`
      select task, count(*) filter (where not is_spent and last_error is null)::int as waiting,
        count(*) filter (where not is_spent and last_error is not null)::int as retrying,
        count(*) filter (where is_spent)::int as spent,
        (extract(epoch from now() - min(created_at) filter (where not is_spent)) * 1000)::float8 as "oldestMs",
        (array_agg(last_error order by updated_at desc) filter (where last_error is not null))[1] as error
      from (
        select task_identifier as task, last_error, created_at, updated_at,
          attempts >= max_attempts and locked_at is null as is_spent
        from graphile_worker.jobs order by id limit ${mostJobsCounted}
      ) job group by task`),
    db.execute<{ task: string; count: number; error: string }>(sql`
      select task, count(*)::int as count, (array_agg(error order by at desc))[1] as error
      from (select task, error, at from failed_deliveries order by at desc limit ${mostJobsCounted}) failed
      group by task`),
  ]);
  return deliveryTasks.map((task) => {
    const inQueue = queued.rows.find((row) => row.task === task);
    const failed = givenUp.rows.find((row) => row.task === task);
    const error = inQueue?.error ?? failed?.error ?? null;
    const oldestMs = inQueue?.oldestMs ?? null;
    return {
      task,
      waiting: inQueue?.waiting ?? 0,
      retrying: inQueue?.retrying ?? 0,
      failed: (inQueue?.spent ?? 0) + (failed?.count ?? 0),
      oldestMs: oldestMs === null ? null : Math.max(0, Math.round(oldestMs)),
      lastError: error === null ? null : errorName(error),
    };
  });
}
