import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deliverAgain, listUndelivered, type Undelivered as Row } from '#contract/notifications/endpoints.ts';
import { useAction, usePaginatedCall } from '../../core/queries.ts';
import { PaginatedList } from '../../core/paginated-list.tsx';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Queue } from './queue.tsx';

/** What waits to be delivered; and what was tried for hours and never arrived: sent once more, or dropped. */
export function Undelivered() {
  const { t } = useTranslation(['admin', 'common']);
  const [dropping, setDropping] = useState<Row | null>(null);
  const pages = usePaginatedCall(
    listUndelivered,
    {},
    { items: ({ undelivered }) => undelivered, total: ({ total }) => total },
  );
  const act = useAction(deliverAgain, {
    invalidates: ['/admin/undelivered', '/admin/queue'],
    onDone: (_, { drop }) => {
      setDropping(null);
      toast.done(t(drop === true ? 'admin:undelivered.dropDone' : 'admin:undelivered.againDone'));
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <Queue />
      <h2 className="mt-2 text-lead">{t('admin:undelivered.title')}</h2>
      <p className="text-body text-ink-2">{t('admin:undelivered.text')}</p>
      <PaginatedList
        pages={pages}
        empty={
          <EmptyState
            icon={<MailCheck />}
            title={t('admin:undelivered.none')}
            text={t('admin:undelivered.noneText')}
          />
        }
      >
        {(rows) => (
          <ul className="flex flex-col gap-3">
            {rows.map((row) => (
              <li key={row.id}>
                <RowCard
                  row={row}
                  busy={act.busy}
                  onAgain={() => act.run({ id: row.id })}
                  onDrop={() => setDropping(row)}
                />
              </li>
            ))}
          </ul>
        )}
      </PaginatedList>
      <Confirm
        open={dropping !== null}
        onOpenChange={(open) => !open && setDropping(null)}
        title={t('admin:undelivered.dropTitle')}
        text={t('admin:undelivered.dropText')}
        confirmLabel={t('admin:undelivered.drop')}
        cancelLabel={t('common:cancel')}
        tone="danger"
        busy={act.busy}
        onConfirm={() => dropping !== null && act.run({ id: dropping.id, drop: true })}
      />
    </div>
  );
}

function RowCard({
  row,
  busy,
  onAgain,
  onDrop,
}: {
  row: Row;
  busy: boolean;
  onAgain: () => void;
  onDrop: () => void;
}) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <Card>
      <article className="flex flex-col gap-2">
        <h3 className="text-lead break-words">{row.what}</h3>
        <p className="flex flex-wrap justify-between gap-x-3 text-small text-ink-3">
          <span className="min-w-0 break-all">
            {t(`undelivered.task.${row.task}`)} · {row.to}
          </span>
          <span>
            {t('undelivered.attempts', { count: row.attempts })} ·{' '}
            <time dateTime={row.at}>{format.relative(row.at)}</time>
          </span>
        </p>
        <p className="text-body break-words text-ink-2">{t('undelivered.error', { error: row.error })}</p>
        <div className="flex flex-wrap gap-3">
          <Button small busy={busy} onClick={onAgain}>
            {t('undelivered.again')}
          </Button>
          <Button tone="quiet" small disabled={busy} onClick={onDrop}>
            {t('undelivered.drop')}
          </Button>
        </div>
      </article>
    </Card>
  );
}
