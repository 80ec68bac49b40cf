import { Link, useNavigate } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { listTickets, ticketKinds, ticketStates, type Ticket } from '#contract/tickets/endpoints.ts';
import { useCursorCall } from '../../../core/cursor-call.ts';
import { PaginatedList } from '../../../core/paginated-list.tsx';
import { useFormat } from '../../../core/use-format.ts';
import { TextButton } from '../../../ui/button.tsx';
import { Chip, ChipRow } from '../../../ui/chips.tsx';
import { SegmentedControl } from '../../../ui/choices.tsx';
import { Avatar } from '../../../ui/people.tsx';
import { EmptyState, List, RowContent, rowVariants } from '../../../ui/surfaces.tsx';
import { useMay } from '../use-may.ts';
import { CannedAnswers } from './canned-answers.tsx';
import type { TicketFilter } from './ticket-filter.ts';
import { TicketPage } from './ticket-page.tsx';
import { TicketStateChip, useTicketTitle } from './ticket-words.tsx';

/**
 * Messages to the operator and reports: found, and one of them open. The address contains the filter and the
 * open one.
 */
export function Tickets({
  timeZone,
  search: { ticket, ...filter },
  onShowUser,
}: {
  timeZone: string;
  search: TicketFilter & { ticket?: string | undefined };
  onShowUser: (name: string) => void;
}) {
  return ticket === undefined ? (
    <TicketList filter={filter} />
  ) : (
    <TicketPage key={ticket} id={ticket} filter={filter} timeZone={timeZone} onShowUser={onShowUser} />
  );
}

function TicketList({ filter }: { filter: TicketFilter }) {
  const { t } = useTranslation('admin');
  const may = useMay();
  const [showsAnswers, setShowsAnswers] = useState(false);
  const { kind = 'all', state = 'open', of = 'all' } = filter;
  const pages = useCursorCall(
    listTickets,
    { kind, state, of },
    { items: ({ tickets }) => tickets, next: ({ next }) => next },
  );
  return (
    <div className="flex flex-col gap-3">
      <Filters filter={filter} counts={pages.first?.counts} />
      <PaginatedList
        pages={pages}
        empty={
          <EmptyState
            icon={<Inbox />}
            title={t(`tickets.none.${of === 'all' ? state : of}`)}
            text={t('tickets.noneText')}
          />
        }
      >
        {(tickets) => (
          <List label={t('tickets.list')}>
            {tickets.map((ticket) => (
              <TicketRow key={ticket.id} ticket={ticket} filter={filter} />
            ))}
          </List>
        )}
      </PaginatedList>
      {may('answers.write') && (
        <TextButton className="self-start" onClick={() => setShowsAnswers(true)}>
          {t('tickets.canned.title')}
        </TextButton>
      )}
      {showsAnswers && <CannedAnswers onClose={() => setShowsAnswers(false)} />}
    </div>
  );
}

function Filters({
  filter,
  counts,
}: {
  filter: TicketFilter;
  /** Undefined until they are read. */
  counts: OutputOf<typeof listTickets>['counts'] | undefined;
}) {
  const { t } = useTranslation('admin');
  const may = useMay();
  const navigate = useNavigate();
  const { kind, state = 'open', of } = filter;
  const show = (next: TicketFilter) =>
    void navigate({
      to: '/pages/admin/admin',
      search: { view: 'tickets', ...filter, ...next },
      replace: true,
    });
  const counted = (label: string, count: number | undefined) =>
    count === undefined || count === 0 ? label : t('tickets.counted', { label, count });
  return (
    <>
      <SegmentedControl
        label={t('tickets.filter')}
        options={ticketStates.map((value) => ({
          value,
          label: counted(t(`tickets.states.${value}`), value === 'closed' ? undefined : counts?.[value]),
        }))}
        value={state}
        onChange={(next) => show({ state: next })}
      />
      <ChipRow label={t('tickets.more')}>
        {(['mine', 'unassigned'] as const).map((each) => (
          <Chip
            key={each}
            selected={of === each}
            onClick={() => show({ of: of === each ? undefined : each })}
          >
            {counted(t(`tickets.${each}`), counts?.[each])}
          </Chip>
        ))}
        {may('feedback.read') &&
          may('reports.read') &&
          ticketKinds.map((each) => (
            <Chip
              key={each}
              selected={kind === each}
              onClick={() => show({ kind: kind === each ? undefined : each })}
            >
              {t(`tickets.kinds.${each}`)}
            </Chip>
          ))}
      </ChipRow>
    </>
  );
}

function TicketRow({ ticket, filter }: { ticket: Ticket; filter: TicketFilter }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const titleOf = useTicketTitle();
  const { id, number, author, assignee, updatedAt, state } = ticket;
  const name = author?.name ?? t(ticket.reason === 'late cancellations' ? 'tickets.app' : 'gone');
  return (
    <li>
      <Link
        to="/pages/admin/admin"
        search={{ view: 'tickets', ...filter, ticket: id }}
        className={rowVariants}
      >
        <RowContent
          leading={<Avatar name={name} src={author?.avatar ?? ''} seed={author?.id ?? id} />}
          title={titleOf(ticket)}
          detail={
            <>
              <span className="block">{`#${number} · ${name} · ${format.relative(updatedAt)}`}</span>
              <span className="block">
                {assignee === null ? t('tickets.nobody') : t('tickets.has', { name: assignee.name })}
              </span>
            </>
          }
          trailing={<TicketStateChip state={state} />}
        />
      </Link>
    </li>
  );
}
