import { CircleCheck, CircleDot, Clock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Ticket, TicketState } from '#contract/tickets/endpoints.ts';
import { StateChip } from '../../../ui/chips.tsx';

const looks = {
  open: { tone: 'warn', Icon: CircleDot },
  waiting: { tone: 'info', Icon: Clock },
  closed: { tone: 'neutral', Icon: CircleCheck },
} as const;

export function TicketStateChip({ state }: { state: TicketState }) {
  const { t } = useTranslation('admin');
  const { tone, Icon } = looks[state];
  return (
    <StateChip tone={tone} icon={<Icon aria-hidden />}>
      {t(`tickets.states.${state}`)}
    </StateChip>
  );
}

/** What a ticket is about, in one line. */
export function useTicketTitle(): (ticket: Pick<Ticket, 'kind' | 'subject' | 'about'>) => string {
  const { t } = useTranslation('admin');
  return ({ kind, subject, about }) =>
    kind === 'feedback' ? subject : t('tickets.reportAbout', { name: about?.name ?? t('gone') });
}
