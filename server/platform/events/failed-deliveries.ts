import { randomUUID } from 'node:crypto';
import { desc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { deliveryTasks, type DeliveryTask } from '#contract/notifications/endpoints.ts';
import { undelivered } from '../../schema/platform.ts';
import { countedFor, countUpTo } from '../database/count-up-to.ts';
import type { Db } from '../database/db.ts';
import { inPages } from '../database/delete-pages.ts';
import type { Email } from '../messages/email.ts';
import { subjectForOthers } from '../messages/email-blocks.ts';
import type { PushMessage } from '../messages/push.ts';
import { aboutSms, type Sms } from '../messages/sms.ts';
import { loggedSignal } from './event-log.ts';

export type FailedDelivery = typeof undelivered.$inferSelect;

/** A signal that a listener could not hear, to be heard again by that one. */
export const lateSignal = z.object({ listener: z.string(), signal: loggedSignal });

/** Maximum rows moved in one round; the rest follows in the next. */
const mostAtOnce = 100;

/** For whom a task was, and what it said. */
export async function describeDelivery(
  db: Db,
  task: DeliveryTask,
  payload: unknown,
): Promise<Pick<FailedDelivery, 'recipient' | 'what'>> {
  if (task === 'letter') {
    const email = payload as Email;
    return { recipient: email.to, what: subjectForOthers(email) };
  }
  if (task === 'text') {
    const message = payload as Sms;
    return { recipient: message.to, what: aboutSms(message) };
  }
  if (task === 'push') {
    const { deviceId, text } = payload as PushMessage;
    const { rows } = await db.execute<{ carrier: string; endpoint: string }>(
      sql`select carrier, endpoint from push_devices where id = ${deviceId}`,
    );
    const { carrier = '', endpoint = '' } = rows[0] ?? {};
    return {
      recipient: carrier === 'web' ? new URL(endpoint).hostname : carrier,
      what: z.object({ title: z.string() }).parse(JSON.parse(text)).title,
    };
  }
  const { listener, signal } = lateSignal.parse(payload);
  return { recipient: listener, what: `signal ${signal.id}` };
}

export const keepFailedDelivery = async (db: Db, row: FailedDelivery): Promise<void> => {
  await db.insert(undelivered).values(row);
};

/**
 * Moves jobs that are tried no more out of the queue to the failed deliveries, where an admin repeats or
 * drops them: those whose failure could not be noted in the spare attempts either.
 */
export async function keepSpentJobs(db: Db, now: Date): Promise<void> {
  const { rows } = await db.execute<{ id: string; task: DeliveryTask; payload: unknown }>(sql`
    select job.id::text, task.identifier as task, job.payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where job.attempts >= job.max_attempts and job.locked_at is null
      and task.identifier = any(${sql.param([...deliveryTasks])}::text[])
    order by job.id limit ${mostAtOnce}`);
  for (const { id, task, payload } of rows) {
    // Its content may be why it failed.
    const { recipient, what } = await describeDelivery(db, task, payload).catch(() => ({
      recipient: '',
      what: `job ${id}`,
    }));
    await db.execute(sql`
      with spent as (
        delete from graphile_worker._private_jobs
        where id = ${id}::bigint and attempts >= max_attempts and locked_at is null
        returning payload, last_error, attempts
      )
      insert into failed_deliveries (id, task, recipient, what, payload, error, attempts, at)
      select ${randomUUID()}::uuid, ${task}::text, ${recipient}::text, ${what}::text, spent.payload,
        left(coalesce(spent.last_error, ''), 1000), spent.attempts, ${now.toISOString()}::timestamptz
      from spent`);
  }
}

/** Tasks of the outbox that failed for good, the newest first, and how many there are near the page. */
export async function failedDeliveryPage(
  db: Db,
  page: { offset: number; size: number },
): Promise<{ rows: FailedDelivery[]; total: number }> {
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(undelivered)
      .orderBy(desc(undelivered.at), desc(undelivered.id))
      .offset(page.offset)
      .limit(page.size),
    countUpTo(db, undelivered, { by: sql`at desc`, most: countedFor(page) }),
  ]);
  return { rows, total };
}

/** Takes one of them out; null where another transaction has. */
export async function takeFailedDelivery(tx: Db, id: string): Promise<FailedDelivery | null> {
  const [row] = await tx.delete(undelivered).where(eq(undelivered.id, id)).returning();
  return row ?? null;
}

export const forgetFailedDeliveries = (db: Db, before: Date): Promise<void> =>
  inPages(undelivered, sql`where at < ${before.toISOString()} order by at`, (page) =>
    db.delete(undelivered).where(page),
  );
