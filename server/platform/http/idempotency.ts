import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Envelope } from '#contract/envelope.ts';
import { idempotency } from '../../schema/platform.ts';
import { secondMs, type Clock } from '../clock.ts';
import { readAgain, type Db } from '../database/db.ts';
import { inPages } from '../database/delete-pages.ts';
import type { Erasure } from '../erasure.ts';
import type { Log } from '../observability/log.ts';
import { busy, refuseField, Refusal } from '../refusal.ts';

/** One use of a key: who, for what, with which body. */
interface Use {
  userId: string;
  key: string;
  path: string;
  fingerprint: string;
}

/** A committed transaction of an action: its name, and what it returned. */
export interface Step {
  name: string;
  result: unknown;
}

/** The right to carry out an action; only one try has it at a time. */
export interface Claim {
  userId: string;
  key: string;
  owner: string;
  /** The transaction that an earlier try committed before it was cut off. */
  step: Step | null;
}

/** Another try has taken over: what this one was about to commit is rolled back. */
export class LeaseLost extends Error {}

/** A try that does not renew its lease for this time is dead. */
const leaseSeconds = 10;
const renewEveryMs = 3 * secondMs;
/** How long a repeat waits for the answer of the first try. */
const waitsMs = 25 * secondMs;
const lookEveryMs = 100;

const ofClaim = ({ userId, key, owner }: Claim) =>
  and(eq(idempotency.userId, userId), eq(idempotency.key, key), eq(idempotency.owner, owner));

/**
 * Notes in a transaction that it is committed, and what it returned.
 * @throws LeaseLost when another try has taken over.
 */
export async function keepStep(tx: Db, claim: Claim, step: Step): Promise<void> {
  const kept = await tx
    .update(idempotency)
    .set({ step: step.name, stepResult: written(step) })
    .where(and(ofClaim(claim), isNull(idempotency.step)))
    .returning({ key: idempotency.key });
  if (kept.length === 0) throw new LeaseLost();
}

/** The name of the transaction of an action that is committed; null for none yet. */
export async function stepOf(db: Db, claim: Claim): Promise<string | null> {
  const rows = await db.select({ step: idempotency.step }).from(idempotency).where(ofClaim(claim));
  return rows[0]?.step ?? null;
}

/** Whether a try still carries out its action; no other try can take over before the transaction ends. */
export async function holdsLease(tx: Db, claim: Claim): Promise<boolean> {
  const rows = await tx
    .select({ key: idempotency.key })
    .from(idempotency)
    .where(ofClaim(claim))
    .for('update');
  return rows.length > 0;
}

/** Null for what cannot be written down; the action itself stays done once. */
function written(step: Step): Buffer | null {
  try {
    return serialize(step);
  } catch {
    return null;
  }
}

/** Of a body without what differs between two sendings of the same. */
export function fingerprintOf(body: unknown, file: Buffer): string {
  const {
    signTime: _signTime,
    sign: _sign,
    idempotencyKey: _key,
    ...rest
  } = Object(body) as Record<string, unknown>;
  return createHash('sha256')
    .update(JSON.stringify(sorted(rest)))
    .update(file)
    .digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}

/** Forgets the keys of actions that began by an instant; a later repeat of one would be a new action. */
export const clearOldKeys = (db: Db, createdBy: Date): Promise<void> =>
  inPages(idempotency, sql`where created_at <= ${createdBy.toISOString()} order by created_at`, (page) =>
    db.delete(idempotency).where(page),
  );

export const idempotencyErasure = {
  idempotency: (tx, personId) => tx.delete(idempotency).where(eq(idempotency.userId, personId)),
} satisfies Erasure;

/** Takes the right to carry out an action; null where another try has it, or the action is done. */
async function take(db: Db, { userId, key, path, fingerprint }: Use, now: Date): Promise<Claim | null> {
  const owner = randomUUID();
  const taken = await db.execute<{ step: string | null; step_result: Buffer | null }>(sql`
    insert into idempotency (user_id, key, path, fingerprint, state, owner, lease_until, created_at)
    values (${userId}, ${key}, ${path}, ${fingerprint}, 'started', ${owner},
      clock_timestamp() + make_interval(secs => ${leaseSeconds}), ${now.toISOString()})
    on conflict (user_id, key) do update set owner = excluded.owner, lease_until = excluded.lease_until
    where idempotency.state = 'started' and idempotency.lease_until < clock_timestamp()
      and idempotency.path = excluded.path and idempotency.fingerprint = excluded.fingerprint
    returning step, step_result`);
  const row = taken.rows[0];
  if (row === undefined) return null;
  const isWritten = row.step !== null && row.step_result !== null;
  // It was done, and what it returned is unknown: nothing can be answered but that.
  if (row.step !== null && !isWritten) throw alreadyDone();
  return {
    userId,
    key,
    owner,
    step: isWritten ? (deserialize(row.step_result!) as Step) : null,
  };
}

/** The stored answer of an action; null while there is none. */
async function earlier(db: Db, { userId, key, path, fingerprint }: Use): Promise<Envelope<unknown> | null> {
  const [row] = await db
    .select()
    .from(idempotency)
    .where(and(eq(idempotency.userId, userId), eq(idempotency.key, key)));
  if (row === undefined) return null;
  if (row.path !== path || row.fingerprint !== fingerprint) throw otherUse();
  if (row.state !== 'done') return null;
  if (row.answer === null) throw alreadyDone();
  return row.answer as Envelope<unknown>;
}

/** Frees the key for a corrected try; where something was committed the next try goes on from there. */
async function free(db: Db, claim: Claim): Promise<void> {
  await readAgain(async () => {
    const gone = await db
      .delete(idempotency)
      .where(and(ofClaim(claim), isNull(idempotency.step)))
      .returning({ key: idempotency.key });
    if (gone.length === 0)
      await db
        .update(idempotency)
        .set({ leaseUntil: new Date(0) })
        .where(ofClaim(claim));
  });
}

type Run = (claim: Claim) => Promise<Envelope<unknown>>;

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Carries out an action once, however often it is asked for with its key: a caller that comes while it is
 * under way waits for its answer, one that comes later gets the same one. A refusal frees the key. What a
 * killed process has begun, the next try finishes.
 */
export function createIdempotency({ db, clock, log }: { db: Db; clock: Clock; log: Log }) {
  /** Actions of this process that are under way. */
  const running = new Map<string, Claim>();
  const renewing = setInterval(() => void renew(), renewEveryMs);
  renewing.unref();

  async function renew(): Promise<void> {
    const owners = [...running.values()].map(({ owner }) => owner);
    if (owners.length === 0) return;
    await db
      .execute(
        sql`update idempotency set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
            where state = 'started' and owner = any(${sql.param(owners)}::uuid[])`,
      )
      .catch((error: unknown) => log.warn({ err: error }, 'actions under way cannot be kept'));
  }

  async function carryOut(claim: Claim, work: Run): Promise<Envelope<unknown>> {
    running.set(claim.owner, claim);
    let answer: Envelope<unknown>;
    try {
      answer = await work(claim);
    } catch (error) {
      running.delete(claim.owner);
      await free(db, claim).catch((trouble: unknown) =>
        log.error({ err: trouble }, 'a key could not be freed'),
      );
      // An earlier try did it; what has come of it since no longer lets the answer be made.
      if (error instanceof Refusal && claim.step !== null) throw alreadyDone(error.data);
      throw error;
    }
    running.delete(claim.owner);
    await readAgain(
      () => db.update(idempotency).set({ state: 'done', answer, stepResult: null }).where(ofClaim(claim)),
      // The next try finds the step, and makes the answer again.
    ).catch((error: unknown) => log.error({ err: error }, 'an answer could not be kept'));
    return answer;
  }

  return {
    /**
     * @throws Refusal `input.invalid` for a key that came with something else; `server.busy` when the first
     *   try takes too long.
     */
    async once(use: Use, work: Run): Promise<Envelope<unknown>> {
      const startedMs = Date.now();
      for (;;) {
        const claim = await readAgain(() => take(db, use, clock.now()));
        if (claim !== null) {
          try {
            return await carryOut(claim, work);
          } catch (error) {
            if (!(error instanceof LeaseLost)) throw error;
          }
        }
        const answer = await readAgain(() => earlier(db, use));
        if (answer !== null) return answer;
        if (Date.now() - startedMs > waitsMs) throw busy();
        await sleep(lookEveryMs);
      }
    },
    stop(): void {
      clearInterval(renewing);
    },
  };
}

const alreadyDone = (data?: Record<string, unknown>) =>
  new Refusal('action.alreadyDone', 'You already did this.', {
    code: 409,
    ...(data === undefined ? {} : { data }),
  });
const otherUse = () =>
  refuseField('input.invalid', 'idempotencyKey', 'This idempotencyKey was used for something else.');
