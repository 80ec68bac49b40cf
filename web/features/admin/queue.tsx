import { useTranslation } from 'react-i18next';
import {
  mostJobsCounted,
  mostUnheardCounted,
  readQueue,
  type JobCounts,
  type ListenerLag,
} from '#contract/admin/operations.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';

const counts = ['waiting', 'retrying', 'failed'] as const;
const readEveryMs = 10_000;
/** Cursors are saved about once a second: a listener that is behind by less is up to date. */
const behindFromMs = 10_000;

/** What waits to be delivered, and which listeners of the event log are behind. */
export function Queue() {
  const { t } = useTranslation('admin');
  const queue = useCall(readQueue, {}, { refetchInterval: readEveryMs });
  return (
    <QueryView query={queue} skeleton={{ kind: 'figures', rows: 4 }}>
      {({ jobs, listeners }) => (
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <Section title={t('queue.title')}>
            <JobsTable jobs={jobs} />
          </Section>
          <Section title={t('queue.listeners')}>
            <Listeners all={listeners} />
          </Section>
        </div>
      )}
    </QueryView>
  );
}

/** A count that stops at `most`. */
const upTo = (count: number, most: number): string => (count < most ? String(count) : `${most}+`);

function useAge(): (ms: number) => string {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (ms) => (ms < 60_000 ? t('queue.underAMinute') : format.duration(ms / 1000));
}

function JobsTable({ jobs }: { jobs: JobCounts[] }) {
  const { t } = useTranslation('admin');
  const age = useAge();
  return (
    <div className="overflow-x-auto rounded-control bg-surface shadow-card">
      <table className="w-full text-small">
        <thead>
          <tr className="border-b border-line text-ink-2">
            <th scope="col" className="px-4 py-3 text-start font-semibold">
              {t('queue.task')}
            </th>
            {counts.map((count) => (
              <th key={count} scope="col" className="px-3 py-3 text-end font-semibold whitespace-nowrap">
                {t(`queue.${count}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {jobs.map((row) => (
            <tr key={row.task}>
              <th scope="row" className="px-4 py-3 text-start font-normal">
                <span className="block text-body">{t(`undelivered.task.${row.task}`)}</span>
                {row.oldestMs !== null && (
                  <span className="block text-ink-3">{t('queue.oldest', { age: age(row.oldestMs) })}</span>
                )}
                {row.lastError !== null && (
                  <span className="block break-words text-ink-3">
                    {t('queue.lastError', { name: row.lastError })}
                  </span>
                )}
              </th>
              {counts.map((count) => (
                <td
                  key={count}
                  className={
                    count === 'failed' && row.failed > 0
                      ? 'figures px-3 py-3 text-end font-semibold text-danger'
                      : 'figures px-3 py-3 text-end'
                  }
                >
                  {upTo(row[count], mostJobsCounted)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Those that are behind; one line where none is. */
function Listeners({ all }: { all: ListenerLag[] }) {
  const { t } = useTranslation('admin');
  const age = useAge();
  const behind = all.filter(({ lagMs }) => lagMs >= behindFromMs);
  return (
    <List>
      {behind.length === 0 ? (
        <ListRow title={t('queue.allHeard', { count: all.length })} />
      ) : (
        behind.map(({ listener, unheard, lagMs }) => (
          <ListRow
            key={listener}
            title={<span className="break-all">{listener}</span>}
            detail={t('queue.behind', {
              count: unheard,
              shown: upTo(unheard, mostUnheardCounted),
              age: age(lagMs),
            })}
          />
        ))
      )}
    </List>
  );
}
