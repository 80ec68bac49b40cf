import { ScrollText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listAudit, type AuditEntry } from '#contract/admin/endpoints.ts';
import { usePages } from '../../base/queries.ts';
import { useFormat } from '../../base/use-format.ts';
import { Avatar } from '../../ui/people.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { PagesOf } from '../../base/pages-of.tsx';

/** What admins have done, the newest first. */
export function Audit({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation('admin');
  const pages = usePages(listAudit, {}, { items: ({ entries }) => entries, total: ({ total }) => total });
  return (
    <PagesOf
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
    </PagesOf>
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
