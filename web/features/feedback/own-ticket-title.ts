import { useTranslation } from 'react-i18next';
import type { OwnTicket } from '#contract/tickets/endpoints.ts';

/** What a ticket is about, as its author calls it. */
export function useOwnTicketTitle(): (ticket: OwnTicket) => string {
  const { t } = useTranslation('about');
  return ({ kind, subject, about }) => {
    if (kind === 'feedback') return subject;
    return about === null ? t('tickets.report') : t('tickets.reportAbout', { name: about.name });
  };
}
