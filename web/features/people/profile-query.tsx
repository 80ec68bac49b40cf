import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readProfile, type Profile } from '#contract/user/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';

/**
 * Draws its children with the signed-in person's profile, and says so while it is on its way or cannot be
 * read.
 */
export function WithProfile({
  rows = 3,
  children,
}: {
  rows?: number;
  children: (profile: Profile) => ReactNode;
}) {
  const { t } = useTranslation('people');
  const profile = useCall(readProfile, {}, { quiet: true });
  return (
    <QueryView query={profile} failed={t('profile.failed')} skeleton={{ rows }}>
      {children}
    </QueryView>
  );
}
