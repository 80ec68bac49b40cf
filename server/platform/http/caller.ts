import type { StaffRole } from '#contract/admin/roles.ts';
import type { Scope } from '#contract/connect/scopes.ts';

/** The API key that a program sends instead of a session. */
export interface CallerKey {
  id: string;
  scopes: readonly Scope[];
  callsPerMinute: number;
}

/** The person behind a request: signed in, or the owner of the API key. */
export interface Caller {
  userId: string;
  /** With an API key: the id of the key, which is not a session. */
  sessionId: string;
  /** Null for a person without a role on the team. */
  staffRole: StaffRole | null;
  key?: CallerKey;
}
