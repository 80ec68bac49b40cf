import { Link } from '@tanstack/react-router';
import { Flag, MessageSquareText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ownTickets, type OwnTicket } from '#contract/tickets/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { PartView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { StateChip } from '../../ui/chips.tsx';
import { List, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';
import { useOwnTicketTitle } from './own-ticket-title.ts';

/** What a person has written to the team and reported; nothing where there is none. */
export function OwnTickets() {
  const { t } = useTranslation('about');
  return (
    <PartView query={useCall(ownTickets, {}, { quiet: true })}>
      {({ tickets }) =>
        tickets.length > 0 && (
          <Section title={t('tickets.title')}>
            <List label={t('tickets.title')}>
              {tickets.map((ticket) => (
                <Row key={ticket.id} ticket={ticket} />
              ))}
            </List>
          </Section>
        )
      }
    </PartView>
  );
}

function Row({ ticket }: { ticket: OwnTicket }) {
  const { t } = useTranslation('about');
  const format = useFormat();
  const titleOf = useOwnTicketTitle();
  const { id, kind, number, state, updatedAt } = ticket;
  const Icon = kind === 'report' ? Flag : MessageSquareText;
  return (
    <li>
      <Link to="/pages/feedback/feedback" search={{ ticket: id }} className={rowVariants}>
        <RowContent
          leading={<Icon aria-hidden className="text-ink-2" />}
          title={titleOf(ticket)}
          detail={`#${number} · ${format.relative(updatedAt)}`}
          trailing={
            state === 'waiting' && (
              <StateChip tone="brand" icon={<MessageSquareText aria-hidden />}>
                {t('tickets.answered')}
              </StateChip>
            )
          }
          chevron
        />
      </Link>
    </li>
  );
}
