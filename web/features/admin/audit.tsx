import { Eye, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listAudit, listReadings, type AuditEntry, type ReadingEntry } from '#contract/admin/endpoints.ts';
import { usePaginatedCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Avatar } from '../../ui/people.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { PaginatedList } from '../../core/paginated-list.tsx';
import { SecurityFigures } from './security-figures.tsx';

const parts = ['deeds', 'readings', 'security'] as const;

/** What admins have done, of whom they have read, and how many security events there were. */
export function Audit({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation('admin');
  const [part, setPart] = useState<(typeof parts)[number]>('deeds');
  return (
    <div className="flex flex-col gap-4">
      <SegmentedControl
        label={t('audit.parts.label')}
        options={parts.map((value) => ({ value, label: t(`audit.parts.${value}`) }))}
        value={part}
        onChange={setPart}
      />
      {part === 'deeds' && <Deeds timeZone={timeZone} />}
      {part === 'readings' && <Readings timeZone={timeZone} />}
      {part === 'security' && <SecurityFigures timeZone={timeZone} />}
    </div>
  );
}

function Deeds({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation('admin');
  const pages = usePaginatedCall(
    listAudit,
    {},
    { items: ({ entries }) => entries, total: ({ total }) => total },
  );
  return (
    <PaginatedList
      pages={pages}
      empty={<EmptyState icon={<ScrollText />} title={t('audit.none')} text={t('audit.noneText')} />}
    >
      {(entries) => (
        <ol className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} timeZone={timeZone} />
          ))}
        </ol>
      )}
    </PaginatedList>
  );
}

function Entry({ entry, timeZone }: { entry: AuditEntry; timeZone: string }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { admin, person, action, note, at } = entry;
  const name = person?.name ?? t('gone');
  return (
    <li className="flex gap-3 px-4 py-3">
      <Avatar name={admin?.name ?? '>'} src={admin?.avatar ?? ''} seed={admin?.id ?? ''} size={32} />
      <div className="min-w-0 flex-1">
        <p className="text-body break-words">{t(`audit.actions.${action}`, { name })}</p>
        {note !== '' && <p className="text-small break-words whitespace-pre-wrap text-ink-2">{note}</p>}
        <p className="text-small text-ink-3">
          {admin?.name ?? t('audit.commandLine')} · <time dateTime={at}>{format.when(at, timeZone)}</time>
        </p>
      </div>
    </li>
  );
}

function Readings({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation('admin');
  const pages = usePaginatedCall(
    listReadings,
    {},
    { items: ({ entries }) => entries, total: ({ total }) => total },
  );
  return (
    <PaginatedList
      pages={pages}
      empty={<EmptyState icon={<Eye />} title={t('audit.noReadings')} text={t('audit.noReadingsText')} />}
    >
      {(entries) => (
        <ol className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card">
          {entries.map((entry) => (
            <Reading key={entry.id} entry={entry} timeZone={timeZone} />
          ))}
        </ol>
      )}
    </PaginatedList>
  );
}

function Reading({ entry, timeZone }: { entry: ReadingEntry; timeZone: string }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { admin, list, people, peopleCount, times, lastAt } = entry;
  const names = people.map(({ name }) => name).join(', ');
  const more = peopleCount - people.length;
  return (
    <li className="flex gap-3 px-4 py-3">
      <Avatar name={admin?.name ?? ''} src={admin?.avatar ?? ''} seed={admin?.id ?? ''} size={32} />
      <div className="min-w-0 flex-1">
        <p className="text-body break-words">
          {t(`audit.lists.${list}`)} · {t('audit.ofPeople', { count: peopleCount })}
        </p>
        {names !== '' && (
          <p className="text-small break-words text-ink-2">
            {more > 0 ? t('audit.andMore', { names, count: more }) : names}
          </p>
        )}
        <p className="text-small text-ink-3">
          {admin?.name ?? t('gone')} · {t('audit.times', { count: times })} ·{' '}
          <time dateTime={lastAt}>{format.when(lastAt, timeZone)}</time>
        </p>
      </div>
    </li>
  );
}
