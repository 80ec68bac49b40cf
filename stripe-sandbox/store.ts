import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, lte, sql, type SQL } from 'drizzle-orm';
import { sandboxDeliveries, sandboxKeys, sandboxObjects, type Db } from './schema.ts';

/** One object as it is kept: what the API shows, and what it does not. */
export interface Row {
  id: string;
  kind: string;
  account: string;
  body: unknown;
  hidden: unknown;
  dueAt: Date | null;
}

export async function insertObject(tx: Db, row: Row): Promise<void> {
  await tx.insert(sandboxObjects).values(row);
}

export async function updateObject(
  tx: Db,
  { id, body, hidden, dueAt }: Pick<Row, 'id' | 'body' | 'hidden' | 'dueAt'>,
): Promise<void> {
  await tx.update(sandboxObjects).set({ body, hidden, dueAt }).where(eq(sandboxObjects.id, id));
}

/** @param kind null finds an object of any kind. The row is locked until the request is over. */
export async function findObject(
  tx: Db,
  { id, kind, account }: { id: string; kind: string | null; account: string },
  lock = false,
): Promise<Row | null> {
  // PostgreSQL knows no zero character, so nothing is called so.
  if (id.includes('\0') || account.includes('\0')) return null;
  const query = tx
    .select()
    .from(sandboxObjects)
    .where(
      and(
        eq(sandboxObjects.id, id),
        eq(sandboxObjects.account, account),
        kind === null ? undefined : eq(sandboxObjects.kind, kind),
      ),
    );
  const [row] = await (lock ? query.for('update') : query);
  return row ?? null;
}

/** Objects of a kind that belong to a payment. */
export function objectsOfPayment(tx: Db, kind: string, paymentId: string): Promise<Row[]> {
  const own = sql`body ->> 'payment_intent' = ${paymentId}`;
  return tx
    .select()
    .from(sandboxObjects)
    .where(and(eq(sandboxObjects.kind, kind), own));
}

export interface PageQuery {
  kind: string;
  account: string;
  /** Fields of the body that must equal these. */
  where: Readonly<Record<string, string>>;
  /** Only these types of events. */
  types?: readonly string[];
  createdFrom?: number;
  limit: number;
  startingAfter?: string;
  endingBefore?: string;
}

/** One page, the newest first, and whether there is more beyond it. */
export async function pageOf(tx: Db, query: PageQuery): Promise<{ rows: Row[]; hasMore: boolean }> {
  const conditions: (SQL | undefined)[] = [
    eq(sandboxObjects.kind, query.kind),
    eq(sandboxObjects.account, query.account),
  ];
  for (const [field, value] of Object.entries(query.where))
    conditions.push(sql`body ->> ${sql.raw(`'${field.replaceAll("'", "''")}'`)} = ${value}`);
  if (query.types !== undefined)
    conditions.push(sql`body ->> 'type' = any(${sql.param([...query.types])}::text[])`);
  if (query.createdFrom !== undefined)
    conditions.push(sql`(body ->> 'created')::bigint >= ${query.createdFrom}`);
  const positionOf = (id: string) =>
    tx.select({ seq: sandboxObjects.seq }).from(sandboxObjects).where(eq(sandboxObjects.id, id));
  if (query.startingAfter !== undefined)
    conditions.push(lt(sandboxObjects.seq, positionOf(query.startingAfter)));
  if (query.endingBefore !== undefined)
    conditions.push(gt(sandboxObjects.seq, positionOf(query.endingBefore)));
  const backwards = query.endingBefore !== undefined;
  const rows = await tx
    .select()
    .from(sandboxObjects)
    .where(and(...conditions))
    .orderBy(backwards ? asc(sandboxObjects.seq) : desc(sandboxObjects.seq))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  return { rows: backwards ? page.toReversed() : page, hasMore: rows.length > query.limit };
}

/** Objects on which the clock has to act by now; those another request works on are left for later. */
export function dueObjects(tx: Db, now: Date, most: number): Promise<Row[]> {
  return tx
    .select()
    .from(sandboxObjects)
    .where(and(isNotNull(sandboxObjects.dueAt), lte(sandboxObjects.dueAt, now)))
    .orderBy(asc(sandboxObjects.dueAt))
    .limit(most)
    .for('update', { skipLocked: true });
}

/** An account's money in cents: what can be paid out at `nowSeconds`, and what is on its way. */
export async function balanceOf(
  tx: Db,
  account: string,
  nowSeconds: number,
): Promise<{ availableCents: number; pendingCents: number }> {
  const found = await tx.execute<{ available: string; pending: string }>(sql`
    select coalesce(sum((body ->> 'net')::bigint) filter (where (body ->> 'available_on')::bigint <= ${nowSeconds}), 0) as available,
           coalesce(sum((body ->> 'net')::bigint) filter (where (body ->> 'available_on')::bigint > ${nowSeconds}), 0) as pending
    from sandbox_objects where kind = 'balance_transaction' and account = ${account}`);
  const [row] = found.rows;
  return { availableCents: Number(row?.available), pendingCents: Number(row?.pending) };
}

/**
 * Waits until no other transaction takes money out of an account: what is read of its balance after this
 * stays true.
 */
export async function lockBalance(tx: Db, account: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sandbox balance ${account}`}, 0))`);
}

/** Verified accounts whose money can be paid out, unless their payouts are made by hand. */
export async function accountsToPayOut(tx: Db, nowSeconds: number, most: number): Promise<string[]> {
  const found = await tx.execute<{ account: string }>(sql`
    select line.account
    from sandbox_objects owner
    join sandbox_objects line on line.kind = 'balance_transaction' and line.account = owner.id
    where owner.kind = 'account' and owner.body -> 'payouts_enabled' = 'true'::jsonb
      and owner.hidden -> 'paysOutByHand' is null
      and (line.body ->> 'available_on')::bigint <= ${nowSeconds}
    group by line.account having sum((line.body ->> 'net')::bigint) > 0
    limit ${most}`);
  return found.rows.map(({ account }) => account);
}

/**
 * False when another request with this key is under way. The lock ends with the transaction, and with the
 * process.
 */
export async function lockKey(tx: Db, account: string, key: string): Promise<boolean> {
  const found = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`sandbox ${account} ${key}`}, 0)) as locked`,
  );
  return found.rows[0]?.locked === true;
}

/** One worker at a time does what the clock demands. */
export async function lockClockWork(tx: Db): Promise<boolean> {
  return lockKey(tx, '', 'the work of the clock');
}

export interface KeptAnswer {
  fingerprint: string;
  status: number;
  answer: unknown;
}

export async function keptAnswer(
  tx: Db,
  account: string,
  key: string,
  since: Date,
): Promise<KeptAnswer | null> {
  const [row] = await tx
    .select()
    .from(sandboxKeys)
    .where(
      and(eq(sandboxKeys.account, account), eq(sandboxKeys.key, key), gte(sandboxKeys.createdAt, since)),
    );
  return row ?? null;
}

export async function keepAnswer(tx: Db, row: typeof sandboxKeys.$inferInsert): Promise<void> {
  const { account: _account, key: _key, ...set } = row;
  await tx
    .insert(sandboxKeys)
    .values(row)
    .onConflictDoUpdate({ target: [sandboxKeys.account, sandboxKeys.key], set });
}

export async function forgetAnswers(tx: Db, before: Date): Promise<void> {
  await tx.delete(sandboxKeys).where(lt(sandboxKeys.createdAt, before));
}

/**
 * Events are listed for thirty days, as Stripe does; nothing of what they told about people is kept longer.
 */
export async function forgetEvents(tx: Db, beforeSeconds: number): Promise<void> {
  const gone = await tx
    .delete(sandboxObjects)
    .where(and(eq(sandboxObjects.kind, 'event'), sql`(body ->> 'created')::bigint < ${beforeSeconds}`))
    .returning({ id: sandboxObjects.id });
  if (gone.length === 0) return;
  await tx.delete(sandboxDeliveries).where(
    inArray(
      sandboxDeliveries.eventId,
      gone.map(({ id }) => id),
    ),
  );
}

export async function addDelivery(tx: Db, eventId: string, nextAt: Date): Promise<void> {
  await tx.insert(sandboxDeliveries).values({ eventId, attempts: 0, nextAt });
}

export interface Delivery {
  eventId: string;
  attempts: number;
  event: unknown;
}

/**
 * Takes deliveries that are due and puts them off to `againAt`, so that no other process takes them while
 * they are on their way, and so that they are tried again when this one dies.
 */
export async function takeDeliveries(tx: Db, now: Date, againAt: Date, most: number): Promise<Delivery[]> {
  const due = await tx
    .select({ eventId: sandboxDeliveries.eventId })
    .from(sandboxDeliveries)
    .where(and(isNotNull(sandboxDeliveries.nextAt), lte(sandboxDeliveries.nextAt, now)))
    .orderBy(asc(sandboxDeliveries.nextAt))
    .limit(most)
    .for('update', { skipLocked: true });
  if (due.length === 0) return [];
  const ids = due.map(({ eventId }) => eventId);
  const taken = await tx
    .update(sandboxDeliveries)
    .set({ nextAt: againAt, attempts: sql`attempts + 1` })
    .where(inArray(sandboxDeliveries.eventId, ids))
    .returning();
  const events = await tx.select().from(sandboxObjects).where(inArray(sandboxObjects.id, ids));
  const bodies = new Map(events.map(({ id, body }) => [id, body]));
  return taken.map(({ eventId, attempts }) => ({ eventId, attempts, event: bodies.get(eventId) }));
}

export async function noteDelivery(
  db: Db,
  eventId: string,
  set: { nextAt: Date | null; deliveredAt: Date | null },
): Promise<void> {
  await db.update(sandboxDeliveries).set(set).where(eq(sandboxDeliveries.eventId, eventId));
}
