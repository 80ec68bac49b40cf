import { sql } from 'drizzle-orm';
import type { Db } from './schema.ts';
import { findObject, write, type Kept, type NewAnswer, type ReadRow, type Row } from './store.ts';

/** An object that is to be written, as it was when it was added or saved. */
interface Unsaved extends Kept {
  /** When its event is first sent to the webhook; null where it is none, or none is set. */
  deliverAt: string | null;
}

/**
 * What one transaction has read of objects, and what it has to write of them: all of it goes to the database
 * by one statement at its end, and what was read before is not asked for again.
 */
export class KeptObjects {
  readonly #tx: Db;
  readonly #read = new Map<string, ReadRow>();
  readonly #unsaved = new Map<string, Unsaved>();
  /** Set once some of the work that can be undone is written: where the transaction goes back to. */
  #savepoint: 'none' | 'needed' | 'set' = 'none';

  constructor(tx: Db) {
    this.#tx = tx;
  }

  /** Notes rows that were read together with others. */
  note(rows: readonly ReadRow[]): void {
    for (const row of rows) if (this.#read.get(row.id)?.isLocked !== true) this.#read.set(row.id, row);
  }

  /**
   * The object as it was last added or saved.
   * @param of kind null finds an object of any kind
   * @param lock whether the row is locked until the transaction is over
   */
  async find(of: { id: string; kind: string | null; account: string }, lock = false): Promise<Row | null> {
    // PostgreSQL knows no zero character, so nothing is called so.
    if (of.id.includes('\0') || of.account.includes('\0')) return null;
    const found = this.#unsaved.get(of.id) ?? (await this.#readOf(of.id, lock));
    if (found === null || found.account !== of.account) return null;
    return of.kind === null || found.kind === of.kind ? rowOf(found) : null;
  }

  async #readOf(id: string, lock: boolean): Promise<ReadRow | null> {
    const known = this.#read.get(id);
    if (known !== undefined && (known.isLocked || !lock)) return known;
    const row = await findObject(this.#tx, id, lock);
    if (row !== null) this.#read.set(id, row);
    return row;
  }

  /** Adds an object, or writes how one has become. What is changed of it afterwards is not written. */
  save(row: Row, deliverAt: Date | null = null): void {
    const { id, kind, account, body, hidden, dueAt } = row;
    const unsaved = {
      id,
      kind,
      account,
      body: JSON.stringify(body),
      hidden: JSON.stringify(hidden),
      dueAt: dueAt?.toISOString() ?? null,
      deliverAt: deliverAt?.toISOString() ?? null,
    };
    this.#unsaved.set(id, unsaved);
  }

  /** The transaction, for statements that read more than single objects: what they may read is written. */
  async written(): Promise<Db> {
    if (this.#unsaved.size > 0) {
      if (this.#savepoint === 'needed') {
        await this.#tx.execute(sql`savepoint sandbox_work`);
        this.#savepoint = 'set';
      }
      await this.write(null);
    }
    return this.#tx;
  }

  /** Does work of which nothing is left where it throws. */
  async undoable<T>(work: () => Promise<T>): Promise<T> {
    await this.written();
    this.#savepoint = 'needed';
    try {
      return await work();
    } catch (error) {
      await this.#undo();
      throw error;
    } finally {
      this.#savepoint = 'none';
    }
  }

  async #undo(): Promise<void> {
    this.#unsaved.clear();
    this.#read.clear();
    if (this.#savepoint === 'set') await this.#tx.execute(sql`rollback to savepoint sandbox_work`);
  }

  /** Writes everything that is not yet, and the answer of a request in the same statement. */
  async write(answer: NewAnswer | null): Promise<void> {
    const unsaved = [...this.#unsaved.values()];
    this.#unsaved.clear();
    if (unsaved.length === 0 && answer === null) return;
    // What was written has been locked by that.
    for (const row of unsaved) this.#read.set(row.id, { ...row, isLocked: true });
    await write(this.#tx, `[${unsaved.map(textOf).join(',')}]`, answer);
  }
}

function textOf({ body, hidden, ...plain }: Unsaved): string {
  return `${JSON.stringify(plain).slice(0, -1)},"body":${body},"hidden":${hidden}}`;
}

const rowOf = ({ id, kind, account, body, hidden, dueAt }: Kept): Row => ({
  id,
  kind,
  account,
  body: JSON.parse(body),
  hidden: JSON.parse(hidden),
  dueAt: dueAt === null ? null : new Date(dueAt),
});

/** Work on objects in a transaction: what it has changed is written at its end. */
export async function withObjects<T>(tx: Db, work: (objects: KeptObjects) => Promise<T>): Promise<T> {
  const objects = new KeptObjects(tx);
  const made = await work(objects);
  await objects.write(null);
  return made;
}
