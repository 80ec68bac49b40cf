import type { StaffRole } from '#contract/admin/roles.ts';
import type { Scope } from '#contract/connect/scopes.ts';

/** The API key that a program presents in place of a session. */
export interface CallerKey {
  id: string;
  scopes: readonly Scope[];
  callsPerMinute: number;
}

/** The person behind a request: signed in, or the one for whom an API key acts. */
export interface Caller {
  userId: string;
  /** The key's id, which is no session, where the request comes with a key. */
  sessionId: string;
  /** Null for a person who is not of the staff. */
  staffRole: StaffRole | null;
  key?: CallerKey;
}
