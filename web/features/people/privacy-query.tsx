import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readPrivacy } from '#contract/privacy/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import type { Privacy } from './privacy-choices.tsx';

/** Draws its children with the person's privacy choices, and says so while they cannot be read. */
export function WithPrivacy({ children }: { children: (privacy: Privacy) => ReactNode }) {
  const { t } = useTranslation('settings');
  const privacy = useCall(readPrivacy, {}, { quiet: true });
  return (
    <QueryView query={privacy} failed={t('privacy.failed')} skeleton={{ kind: 'form', rows: 4 }}>
      {children}
    </QueryView>
  );
}
