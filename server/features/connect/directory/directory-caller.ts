import type { StaffRole } from '#contract/admin/roles.ts';

/** Runs a task after the transaction has committed. */
export type AfterCommit = (task: () => void) => void;

/** The person that a directory's key acts for. */
export interface DirectoryCaller {
  userId: string;
  /** The directory may change the roles that this person may change. */
  staffRole: StaffRole | null;
}
