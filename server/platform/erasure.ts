import type { Db } from './database/db.ts';

/**
 * Erases or keeps a person's rows when their account goes, by table. The owner of the tables says and does
 * it; privacy calls the tables of all owners in its own order, in one transaction.
 */
export type Erasure = Readonly<Record<string, (tx: Db, personId: string) => Promise<unknown>>>;
