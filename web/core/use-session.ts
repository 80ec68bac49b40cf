import { useSyncExternalStore } from 'react';
import type { SessionUser } from '#contract/access/endpoints.ts';
import { followSession, isSignedIn, readSession } from './session.ts';

/** The session user and whether they are signed in; re-renders on change. */
export function useSession(): { user: SessionUser; signedIn: boolean } {
  const user = useSyncExternalStore(followSession, readSession);
  return { user, signedIn: isSignedIn(user) };
}
