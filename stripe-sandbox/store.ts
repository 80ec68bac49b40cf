import { createHash } from 'node:crypto';
import { and, asc, desc, eq, gt, inArray, isNotNull, lt, lte, sql, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { sandboxDeliveries, sandboxKeys, sandboxObjects, type Db } from './schema.ts';

/** One object as it is stored: what the API shows, and what it does not. */
export interface Row {
  id: string;
  kind: string;
  account: string;
  body: unknown;
  hidden: unknown;
  dueAt: Date | null;
}

/** A row as the database tells it, its contents as text. */
export interface Kept {
  id: string;
  kind: string;
  account: string;
  body: string;
  hidden: string;
  dueAt: string | null;
}

export type ReadRow = Kept & { isLocked: boolean };

/**
 * A statement of which the text is made once. The database keeps its plan, which costs more than what these
 * statements do.
 */
function keptStatement<R extends object>(
  statement: SQL,
): (tx: Db, values: Record<string, unknown>) => Promise<R[]> {
  const { sql: text, params, typings } = new PgDialect().sqlToQuery(statement);
  const name = `sandbox_${createHash('sha1').update(text).digest('hex')}`;
  const query = { sql: text, params, ...(typings && { typings }) };
  return async (tx, values) => {
    const prepared = tx._.session.prepareQuery<{ execute: { rows: R[] }; all: unknown; values: unknown }>(
      query,
      undefined,
      name,
      false,
    );
    return (await prepared.execute(values)).rows;
  };
}

const columns = sql.raw(`id, kind, account, body::text as body, hidden::text as hidden, due_at as "dueAt"`);

const finding = keptStatement<Kept>(
  sql`select ${columns} from sandbox_objects where id = ${sql.placeholder('id')}`,
);
const lockingFound = keptStatement<Kept>(
  sql`select ${columns} from sandbox_objects where id = ${sql.placeholder('id')} for update`,
);

/** @param lock whether the row is locked until the transaction is over */
export async function findObject(tx: Db, id: string, lock: boolean): Promise<ReadRow | null> {
  const [row] = await (lock ? lockingFound : finding)(tx, { id });
  return row === undefined ? null : { ...row, isLocked: lock };
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

const isObjectDue = (now: Date) => and(isNotNull(sandboxObjects.dueAt), lte(sandboxObjects.dueAt, now));

export const isAnyObjectDue = (now: Date): SQL =>
  sql`exists (select from ${sandboxObjects} where ${isObjectDue(now)})`;

/** Objects on which the clock has to act by now; those another request works on are left for later. */
export function dueObjects(tx: Db, now: Date, most: number): Promise<Row[]> {
  return tx
    .select()
    .from(sandboxObjects)
    .where(isObjectDue(now))
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
  const [found] = await lockingKey(tx, { key: `sandbox ${account} ${key}` });
  return found?.locked === true;
}

const lockingKey = keptStatement<{ locked: boolean }>(
  sql`select pg_try_advisory_xact_lock(hashtextextended(${sql.placeholder('key')}, 0)) as locked`,
);

/** One worker at a time does what the clock demands. */
export async function lockClockWork(tx: Db): Promise<boolean> {
  return lockKey(tx, '', 'the work of the clock');
}

export interface KeptAnswer {
  fingerprint: string;
  status: number;
  answer: unknown;
}
export type NewAnswer = KeptAnswer & { account: string; key: string; createdAt: Date };

/** What a request needs before it is dealt with. */
export interface Needs {
  account: string;
  /** Null without an idempotency key. */
  key: string | null;
  /** An answer stored before this time is forgotten. */
  since: Date;
  /** Objects that it names. */
  ids: readonly string[];
  /** A payment that it shows: its charges are read too. */
  shownId: string | null;
  /** A payment that it changes: it and its charges are locked until the request is over. */
  changedId: string | null;
  /** An account that a payment is made to: it stays as it is until the request is over. */
  payeeId: string | null;
  /** A payment method that a payment is made with: it is locked until the request is over. */
  methodId: string | null;
}

const readingNeeds = keptStatement<
  { [name in keyof ReadRow]: ReadRow[name] | null } & { [name in keyof KeptAnswer]: KeptAnswer[name] | null }
>(sql`
  with payment as materialized (
    select ${columns} from sandbox_objects where id = ${sql.placeholder('changedId')} for update),
  charges as materialized (
    select ${columns} from sandbox_objects
    where kind = 'charge' and body ->> 'payment_intent' = ${sql.placeholder('changedId')} for update),
  payee as materialized (
    select ${columns} from sandbox_objects where id = ${sql.placeholder('payeeId')} for share),
  method as materialized (
    select ${columns} from sandbox_objects where id = ${sql.placeholder('methodId')} for update),
  named as (
    select *, true as "isLocked" from payment
    union all select *, true from charges
    union all select *, true from payee
    union all select *, true from method
    union all select ${columns}, false from sandbox_objects where id = any(${sql.placeholder('ids')}::text[])
    union all select ${columns}, false from sandbox_objects
    where kind = 'charge' and body ->> 'payment_intent' = ${sql.placeholder('shownId')})
  select named.*, kept.fingerprint, kept.status, kept.answer
  from (values (1)) as always (one)
  left join sandbox_keys kept on kept.account = ${sql.placeholder('account')} and kept.key = ${sql.placeholder('key')}
    and kept.created_at >= ${sql.placeholder('since')}::timestamptz
  left join named on true`);

/**
 * The answer stored under a request's key, and the objects that it names, read together. They are locked in
 * the order of the statement: a payment, then its charges, then the customer, the account and the card it is
 * made with.
 */
export async function readNeeds(
  tx: Db,
  { since, ids, ...needs }: Needs,
): Promise<{ kept: KeptAnswer | null; objects: ReadRow[] }> {
  const rows = await readingNeeds(tx, { ...needs, since: since.toISOString(), ids: [...ids] });
  const [first] = rows;
  const { fingerprint = null, status = null, answer = null } = first ?? {};
  return {
    kept: fingerprint === null || status === null ? null : { fingerprint, status, answer },
    objects: rows.flatMap(({ id, kind, account: owner, body, hidden, dueAt, isLocked }) =>
      id === null || kind === null || owner === null || body === null || hidden === null
        ? []
        : [{ id, kind, account: owner, body, hidden, dueAt, isLocked: isLocked === true }],
    ),
  };
}

const writing = keptStatement(sql`
  with made as materialized (
    select * from jsonb_to_recordset(${sql.placeholder('objects')}::jsonb) as each (id text, kind text,
      account text, body jsonb, hidden jsonb, "dueAt" timestamptz, "deliverAt" timestamptz)),
  objects as (
    insert into sandbox_objects (id, kind, account, body, hidden, due_at)
    select id, kind, account, body, hidden, "dueAt" from made
    on conflict (id) do update set body = excluded.body, hidden = excluded.hidden, due_at = excluded.due_at),
  deliveries as (
    insert into sandbox_deliveries (event_id, attempts, next_at)
    select id, 0, "deliverAt" from made where "deliverAt" is not null)
  insert into sandbox_keys (account, key, fingerprint, status, answer, created_at)
  select account, key, fingerprint, status, answer, "createdAt"
  from jsonb_to_recordset(${sql.placeholder('answers')}::jsonb) as each (account text, key text,
    fingerprint text, status int, answer jsonb, "createdAt" timestamptz)
  on conflict (account, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
    answer = excluded.answer, created_at = excluded.created_at`);

/** Writes objects, the deliveries of events among them, and the answer of the request. */
export async function write(tx: Db, objects: string, answer: NewAnswer | null): Promise<void> {
  await writing(tx, { objects, answers: JSON.stringify(answer === null ? [] : [answer]) });
}

export async function forgetAnswers(tx: Db, before: Date): Promise<void> {
  await tx.delete(sandboxKeys).where(lt(sandboxKeys.createdAt, before));
}

/** Events are listed for thirty days, as Stripe does; nothing that they say about people is stored longer. */
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

export interface Delivery {
  eventId: string;
  attempts: number;
  event: unknown;
}

const isDeliveryDue = (now: Date) =>
  and(isNotNull(sandboxDeliveries.nextAt), lte(sandboxDeliveries.nextAt, now));

export const isAnyDeliveryDue = (now: Date): SQL =>
  sql`exists (select from ${sandboxDeliveries} where ${isDeliveryDue(now)})`;

/**
 * Takes deliveries that are due and puts them off to `againAt`, so that no other process takes them while
 * they are on their way, and so that they are tried again when this one dies.
 */
export async function takeDeliveries(tx: Db, now: Date, againAt: Date, most: number): Promise<Delivery[]> {
  const due = await tx
    .select({ eventId: sandboxDeliveries.eventId })
    .from(sandboxDeliveries)
    .where(isDeliveryDue(now))
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
