import type { AdminAction } from '#contract/admin/endpoints.ts';
import type { Base } from '../../base/base.ts';
import type { Db } from '../../base/db.ts';
import * as store from './store.ts';

export interface AdminDeed {
  /** Null for the command line. */
  adminId: string | null;
  action: AdminAction;
  /** Whom it is about. */
  personId: string | null;
  thingId?: string;
  note?: string;
}

export type { ActionRow } from './store.ts';
export type AuditService = ReturnType<typeof createAudit>;

/** The log of what admins do. Nothing in it is ever changed or removed. */
export function createAudit({ db, clock }: Base) {
  return {
    /** Notes a deed in the transaction that does it, so that neither stands without the other. */
    note: (tx: Db, deed: AdminDeed) => noteDeed(tx, deed, clock.now()),

    /** The log, the newest first. */
    async page(page: { offset: number; size: number }): Promise<{ rows: store.ActionRow[]; total: number }> {
      const [rows, total] = await Promise.all([store.newestActions(db, page), store.countActions(db)]);
      return { rows, total };
    },
  };
}

/** The same for the command line, which has no house. */
export const noteDeed = (tx: Db, deed: AdminDeed, at: Date): Promise<void> =>
  store.insertAction(tx, { ...deed, at });
