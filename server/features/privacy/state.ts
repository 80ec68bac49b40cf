import type { Db } from '../../platform/database/db.ts';
import type { Attempt } from './exports/store.ts';

/** An attempt that is not done. */
export interface OpenAttempt {
  attempt: Attempt;
  archive: AsyncGenerator<number, number>;
}

/** State of this feature that lives as long as the process. */
export interface PrivacyState {
  /** Erases all of a person but what belongs to others' rides, in the caller's transaction. */
  erasePerson: (tx: Db, userId: string, at: Date) => Promise<void>;
  /** Attempts to make an export that this process has begun and not ended. */
  attempts: OpenAttempt[];
}

export const openPrivacy = (erasePerson: PrivacyState['erasePerson']): PrivacyState => ({
  erasePerson,
  attempts: [],
});
