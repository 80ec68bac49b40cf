import type { StaffRole } from '#contract/admin/roles.ts';

/** The signed-in person behind a request. */
export interface Caller {
  userId: string;
  sessionId: string;
  /** Null for a person who is not of the staff. */
  staffRole: StaffRole | null;
}
