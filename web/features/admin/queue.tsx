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
import { CountsTable } from './counts-table.tsx';

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
    <CountsTable
      heading={t('queue.task')}
      columns={counts.map((count) => ({ key: count, title: t(`queue.${count}`) }))}
      rows={jobs.map((row) => ({
        key: row.task,
        title: t(`undelivered.task.${row.task}`),
        details: [
          ...(row.oldestMs === null ? [] : [t('queue.oldest', { age: age(row.oldestMs) })]),
          ...(row.lastError === null ? [] : [t('queue.lastError', { name: row.lastError })]),
        ],
        cells: counts.map((count) => ({
          text: upTo(row[count], mostJobsCounted),
          isDanger: count === 'failed' && row.failed > 0,
        })),
      }))}
    />
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
