import { and, asc, count, desc, eq, inArray, min, sql, type SQL } from 'drizzle-orm';
import { mostWebhooks } from '#contract/connect/webhooks.ts';
import { pageOfRows } from '../../../platform/database/count-up-to.ts';
import type { Db } from '../../../platform/database/db.ts';
import { changesAny, firstRow } from '../../../platform/database/one-row.ts';
import { inPages } from '../../../platform/database/delete-pages.ts';
import type { SealedColumn } from '../../../platform/security/reseal.ts';
import { webhookDeliveries, webhooks } from '../../../schema/connect.ts';
import { bodyOf, type OutgoingEvent } from './rules/events.ts';

export type WebhookRow = typeof webhooks.$inferSelect;
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** The thing that a webhook's encrypted secrets belong to. */
export const sealedFor = (id: string): string => `webhook:${id}`;

export const sealedWebhooks: readonly SealedColumn[] = (['secret', 'formerSecret'] as const).map((name) => ({
  table: webhooks,
  id: webhooks.id,
  value: webhooks[name],
  whoseOf: sealedFor,
  replace: (db, { id, before, sealed }) =>
    db
      .update(webhooks)
      .set({ [name]: sealed })
      .where(and(eq(webhooks.id, id), eq(webhooks[name], before))),
}));

export const allWebhooks = (db: Db): Promise<WebhookRow[]> =>
  db.select().from(webhooks).orderBy(asc(webhooks.createdAt), asc(webhooks.id)).limit(mostWebhooks);

export const findWebhook = (db: Db, id: string): Promise<WebhookRow | null> =>
  firstRow(db.select().from(webhooks).where(eq(webhooks.id, id)));

/** Locks the row until the transaction ends. */
export const holdWebhook = (tx: Db, id: string): Promise<WebhookRow | null> =>
  firstRow(tx.select().from(webhooks).where(eq(webhooks.id, id)).for('update'));

/** Locks out other additions until the transaction ends, and returns the number of webhooks. */
export async function holdCount(tx: Db): Promise<number> {
  await tx.execute(sql`lock table ${webhooks} in share row exclusive mode`);
  return tx.$count(webhooks);
}

export async function insertWebhook(tx: Db, row: typeof webhooks.$inferInsert): Promise<WebhookRow> {
  const [inserted] = await tx.insert(webhooks).values(row).returning();
  return inserted!;
}

export async function updateWebhook(tx: Db, id: string, set: Partial<WebhookRow>): Promise<WebhookRow> {
  const [row] = await tx.update(webhooks).set(set).where(eq(webhooks.id, id)).returning();
  return row!;
}

/** Notes a failed attempt: since when attempts fail, and until when the receiver is left alone, if at all. */
export const noteFailing = (
  tx: Db,
  id: string,
  { now, restsUntil }: { now: Date; restsUntil: Date | null },
): Promise<WebhookRow | null> =>
  firstRow(
    tx
      .update(webhooks)
      .set({
        failingSince: sql`coalesce(${webhooks.failingSince}, ${now.toISOString()})`,
        ...(restsUntil === null ? {} : { restsUntil }),
      })
      .where(eq(webhooks.id, id))
      .returning(),
  );

export async function deleteWebhook(tx: Db, id: string): Promise<void> {
  await tx.delete(webhooks).where(eq(webhooks.id, id));
}

/** Queues a delivery of each event for every webhook that receives it; skips those already queued. */
export async function queueDeliveries(db: Db, events: readonly OutgoingEvent[], now: Date): Promise<void> {
  const rows = events.map((each) => ({ source: each.source, event: each.event, body: bodyOf(each) }));
  await db.execute(sql`
    insert into webhook_deliveries (id, webhook_id, source, event, body, state, created_at, next_at)
    select gen_random_uuid(), webhook.id, given.source, given.event, given.body, 'waiting',
      ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    -- Locked, so that a webhook is not removed meanwhile.
    from (select id, events from webhooks where state = 'on' order by id for key share) webhook
    join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (source text, event text, body text)
      on given.event = any(webhook.events)
    order by webhook.id, given.source on conflict do nothing`);
}

export async function insertDelivery(
  tx: Db,
  row: typeof webhookDeliveries.$inferInsert,
): Promise<DeliveryRow> {
  const [inserted] = await tx.insert(webhookDeliveries).values(row).returning();
  return inserted!;
}

/** A waiting delivery that a person has asked for: a test, or one to be sent again (`sendAgain`). */
const isAskedFor = sql`state = 'waiting' and (event = 'test' or (tries = 0 and tried_at is not null))`;

export const isAnyDeliveryDue = (now: Date): SQL =>
  sql`exists (select from ${webhookDeliveries} where state = 'waiting' and next_at <= ${now.toISOString()})`;

/**
 * Leases due deliveries for one attempt each, the oldest of each webhook first: no other process takes them
 * until the lease ends. A webhook with some in flight gets as many as are missing to `perWebhook`. While a
 * receiver is left alone, it takes only what a person has asked for; for webhooks that are off, tests only.
 */
export async function leaseDue(
  db: Db,
  {
    now,
    leaseEndsAt,
    most,
    perWebhook,
    inFlight,
  }: {
    now: Date;
    leaseEndsAt: Date;
    most: number;
    perWebhook: number;
    inFlight: ReadonlyMap<string, number>;
  },
): Promise<DeliveryRow[]> {
  if (most <= 0) return [];
  const at = now.toISOString();
  const first = sql`and webhook_id = w.id and next_at <= ${at} order by next_at limit ${perWebhook}`;
  // Two searches, each by an index: very many deliveries may wait for a receiver that does not answer.
  const due = await db.execute<{ id: string }>(sql`
    select d.id from ${webhooks} w
    left join unnest(${sql.param([...inFlight.keys()])}::uuid[], ${sql.param([...inFlight.values()])}::int[])
      as busy (id, count) on busy.id = w.id
    cross join lateral (
      select id from ${webhookDeliveries} where id = any(array(
        (select id from ${webhookDeliveries} where state = 'waiting' and w.state = 'on'
          and (w.rests_until is null or w.rests_until <= ${at}) ${first})
        union
        (select id from ${webhookDeliveries} where ${isAskedFor} and (w.state = 'on' or event = 'test') ${first})))
      order by next_at limit greatest(${perWebhook}::int - coalesce(busy.count, 0), 0) for update skip locked
    ) d limit ${most}`);
  if (due.rows.length === 0) return [];
  return db
    .update(webhookDeliveries)
    .set({ nextAt: leaseEndsAt, triedAt: now, tries: sql`${webhookDeliveries.tries} + 1` })
    .where(
      and(
        inArray(
          webhookDeliveries.id,
          due.rows.map(({ id }) => id),
        ),
        eq(webhookDeliveries.state, 'waiting'),
        sql`${webhookDeliveries.nextAt} <= ${at}`,
      ),
    )
    .returning();
}

/** Saves the result of an attempt; false if another attempt was made meanwhile. */
export const finishTry = (
  tx: Db,
  { id, tries }: Pick<DeliveryRow, 'id' | 'tries'>,
  set: Partial<Pick<DeliveryRow, 'state' | 'nextAt' | 'status' | 'trouble'>>,
): Promise<boolean> =>
  changesAny(
    tx
      .update(webhookDeliveries)
      .set(set)
      .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.tries, tries))),
  );

/** Marks all waiting deliveries of a webhook as failed. */
export async function failWaiting(tx: Db, webhookId: string, trouble: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: 'failed', trouble })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, 'waiting')));
}

/**
 * The number of deliveries that wait for webhooks that are on, up to `most`, and since when the oldest waits.
 */
export async function waitingDeliveries(
  db: Db,
  most: number,
): Promise<{ count: number; oldestAt: Date | null }> {
  const waiting = db
    .select({ createdAt: webhookDeliveries.createdAt })
    .from(webhookDeliveries)
    .innerJoin(webhooks, and(eq(webhooks.id, webhookDeliveries.webhookId), eq(webhooks.state, 'on')))
    .where(sql`${webhookDeliveries.state} = 'waiting'`)
    .limit(most)
    .as('waiting');
  const [row] = await db.select({ count: count(), oldestAt: min(waiting.createdAt) }).from(waiting);
  return { count: row?.count ?? 0, oldestAt: row?.oldestAt ?? null };
}

export const findDelivery = (db: Db, id: string): Promise<DeliveryRow | null> =>
  firstRow(db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)));

/** Queues a delivery again, with the full number of attempts. */
export const sendAgain = (tx: Db, id: string, now: Date): Promise<DeliveryRow | null> =>
  firstRow(
    tx
      .update(webhookDeliveries)
      .set({ state: 'waiting', tries: 0, nextAt: now, status: null, trouble: '' })
      .where(eq(webhookDeliveries.id, id))
      .returning(),
  );

export async function deliveryPage(
  db: Db,
  of: { webhookId: string; only: 'all' | 'waiting' | 'failed'; offset: number; size: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const where = and(
    eq(webhookDeliveries.webhookId, of.webhookId),
    of.only === 'all' ? undefined : eq(webhookDeliveries.state, of.only),
  );
  return pageOfRows(
    db,
    webhookDeliveries,
    { where, order: [desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id)] },
    of,
  );
}

/** Deletes old deliveries that succeeded or failed. */
export const clearOld = (db: Db, before: Date): Promise<void> =>
  inPages(
    webhookDeliveries,
    sql`where created_at < ${before.toISOString()} and state <> 'waiting' order by created_at`,
    (page) => db.delete(webhookDeliveries).where(page),
  );
