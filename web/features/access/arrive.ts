import { useEffect, useEffectEvent } from 'react';
import type { SessionUser } from '#contract/access/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { call } from '../../core/api.ts';
import { followProfileLanguage } from '../../core/i18n.ts';
import { useAfterSignIn } from '../../core/navigation.ts';
import { signIn } from '../../core/session.ts';
import { useSession } from '../../core/use-session.ts';
import { forgetDraft } from './draft.ts';

/** Keeps the session of a person who has just proved who they are, and speaks their language from here on. */
export function arrive(user: SessionUser): void {
  forgetDraft();
  signIn(user);
  if (user.profileMissing) return;
  call(readProfile, {}, { quiet: true })
    .then((profile) => followProfileLanguage(profile.language))
    // The language shown so far will do.
    .catch(() => {});
}

/**
 * Signing in ends every page about signing in, also when it happened in another tab: on to where the person
 * was going.
 */
export function useLeaveWhenSignedIn(): void {
  const { signedIn } = useSession();
  const leave = useEffectEvent(useAfterSignIn());
  useEffect(() => {
    if (signedIn) leave();
  }, [signedIn]);
}
