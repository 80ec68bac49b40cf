import { Link } from '@tanstack/react-router';
import { ArrowLeft, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readTicket, reopenTicket, type Thread } from '#contract/tickets/endpoints.ts';
import { useAction, useCall } from '../../../core/queries.ts';
import { QueryView } from '../../../core/query-view.tsx';
import { useFormat } from '../../../core/use-format.ts';
import { Button, TextButton } from '../../../ui/button.tsx';
import { Card, EmptyState, Section } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { Assignee } from './assignee.tsx';
import { CloseTicket } from './close-ticket.tsx';
import { Composer } from './composer.tsx';
import { Messages } from './messages.tsx';
import { ReportedLines } from './reported-lines.tsx';
import { TicketStateChip, useTicketTitle } from './ticket-words.tsx';
import type { TicketFilter } from './ticket-filter.ts';

/** One ticket: what was written, who has it, and the next words. */
export function TicketPage({
  id,
  filter,
  timeZone,
  onShowUser,
}: {
  id: string;
  filter: TicketFilter;
  timeZone: string;
  onShowUser: (name: string) => void;
}) {
  const { t } = useTranslation('admin');
  const read = useCall(readTicket, { id }, { quiet: true });
  return (
    <div className="flex flex-col gap-4">
      <Link
        to="/pages/admin/admin"
        search={{ view: 'tickets', ...filter }}
        className="flex min-h-11 items-center gap-2 self-start font-semibold text-brand-ink"
      >
        <ArrowLeft aria-hidden className="size-5" />
        {t('tickets.back')}
      </Link>
      <QueryView
        query={read}
        skeleton={{ kind: 'detail' }}
        missing={
          <EmptyState icon={<SearchX />} title={t('tickets.missing')} text={t('tickets.missingText')} />
        }
      >
        {(thread) => <ShownTicket thread={thread} timeZone={timeZone} onShowUser={onShowUser} />}
      </QueryView>
    </div>
  );
}

interface Shown {
  thread: Thread;
  timeZone: string;
  onShowUser: (name: string) => void;
}

function ShownTicket({ thread, timeZone, onShowUser }: Shown) {
  const { t } = useTranslation('admin');
  const titleOf = useTicketTitle();
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex flex-col gap-1 lg:col-span-2">
        <p className="flex items-center gap-2 text-small text-ink-3">
          <span className="figures">#{thread.number}</span>
          {t(`tickets.kindOf.${thread.kind}`)}
          <TicketStateChip state={thread.state} />
        </p>
        <h2 className="text-heading break-words">{titleOf(thread)}</h2>
      </div>
      <aside aria-label={t('tickets.facts')} className="flex flex-col gap-4 lg:order-2">
        <Assignee thread={thread} />
        <Facts thread={thread} timeZone={timeZone} onShowUser={onShowUser} />
        <Ending thread={thread} />
      </aside>
      <div className="flex min-w-0 flex-col gap-5 lg:order-1">
        {thread.lines.length > 0 && <ReportedLines lines={thread.lines} timeZone={timeZone} />}
        <Messages thread={thread} />
        <Composer thread={thread} />
      </div>
    </div>
  );
}

function Facts({ thread, timeZone, onShowUser }: Shown) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { author, about, reason, email, otherReports, openedAt, updatedAt } = thread;
  const person = (name: string | undefined) =>
    name !== undefined && (
      <span className="block">
        <TextButton className="-ml-1" onClick={() => onShowUser(name)}>
          {t('tickets.showUser')}
        </TextButton>
      </span>
    );
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-body lg:grid-cols-1 large-text:grid-cols-1 [&_dt]:text-small [&_dt]:text-ink-3">
        {reason !== null && (
          <div>
            <dt>{t('tickets.reason')}</dt>
            <dd>{t(`tickets.reasons.${reason}`)}</dd>
          </div>
        )}
        {thread.kind === 'report' && (
          <div>
            <dt>{t('tickets.about')}</dt>
            <dd className="break-words">
              {about?.name ?? t('gone')}
              {otherReports > 0 && (
                <span className="block text-small text-ink-3">
                  {t('tickets.others', { count: otherReports })}
                </span>
              )}
              {person(about?.name)}
            </dd>
          </div>
        )}
        <div>
          <dt>{t(thread.kind === 'report' ? 'tickets.reporter' : 'tickets.author')}</dt>
          <dd className="break-words">
            {author?.name ?? t(reason === 'late cancellations' ? 'tickets.app' : 'gone')}
            {email !== '' && <span className="block text-small break-all text-ink-3">{email}</span>}
            {person(author?.name)}
          </dd>
        </div>
        <div>
          <dt>{t('tickets.opened')}</dt>
          <dd>{format.when(openedAt, timeZone)}</dd>
        </div>
        <div>
          <dt>{t('tickets.updated')}</dt>
          <dd>{format.when(updatedAt, timeZone)}</dd>
        </div>
      </dl>
    </Card>
  );
}

/** Closes the ticket, or opens it again. */
function Ending({ thread: { id, kind, state } }: { thread: Thread }) {
  const { t } = useTranslation('admin');
  const [closes, setCloses] = useState(false);
  const reopen = useAction(reopenTicket, {
    invalidates: ['/admin/'],
    onDone: () => toast.done(t('tickets.reopened')),
  });
  return (
    <Section>
      {state === 'closed' ? (
        <Button tone="quiet" full busy={reopen.busy} onClick={() => reopen.run({ id })}>
          {t('tickets.reopen')}
        </Button>
      ) : (
        <Button tone="quiet" full onClick={() => setCloses(true)}>
          {t('tickets.close')}
        </Button>
      )}
      {closes && <CloseTicket id={id} kind={kind} onClose={() => setCloses(false)} />}
    </Section>
  );
}
