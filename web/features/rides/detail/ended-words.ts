import { useTranslation } from 'react-i18next';

/** Words the server gives when the app itself ended something; everything else was typed by a person. */
const byApp = ['departed', 'full', 'closed', 'changed', 'changeDeclined', 'breakdown', 'safety'] as const;

/** Why something ended, in the reader's language where the app said it, else in the words a person used. */
export function useReasonText(): (reason: string) => string {
  const { t } = useTranslation('rides');
  return (reason) => {
    const known = byApp.find((each) => each === reason);
    return known === undefined ? t('reason.quoted', { reason }) : t(`reason.house.${known}`);
  };
}
