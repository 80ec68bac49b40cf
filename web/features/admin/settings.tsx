import { FileText, KeyRound, SearchX, Settings as Gear, Terminal } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readSettings, type ShownSetting } from '#contract/admin/operations.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { SearchField } from '../../ui/inputs.tsx';
import { EmptyState, Section } from '../../ui/surfaces.tsx';
import { Backups } from './backups.tsx';
import { Maintenance } from './maintenance.tsx';

/** The server's settings, and maintenance. */
export function Settings({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation(['admin', 'common']);
  const [typed, setTyped] = useState('');
  const query = useCall(readSettings, {});
  const wanted = typed.trim().toUpperCase();
  return (
    <QueryView query={query} skeleton={{ rows: 8 }}>
      {({ settings, maintenance, backup, release, node, roles }) => {
        const found = settings.filter(({ name }) => name.includes(wanted.replaceAll(' ', '_')));
        return (
          <div className="flex flex-col gap-6">
            <Maintenance state={maintenance} timeZone={timeZone} />
            <Backups state={backup} timeZone={timeZone} />
            <Section title={t('admin:views.settings')}>
              <p className="text-body text-ink-2">{t('admin:settings.text')}</p>
              <p className="text-small text-ink-3">
                {t('admin:settings.process', { release, node, roles: roles.join(', ') })}
              </p>
              <SearchField
                value={typed}
                onChange={setTyped}
                label={t('admin:settings.search')}
                clearLabel={t('common:clearSearch')}
              />
              {found.length === 0 ? (
                <EmptyState icon={<SearchX />} title={t('admin:settings.none')} />
              ) : (
                <ul className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card">
                  {found.map((setting) => (
                    <Row key={setting.name} setting={setting} />
                  ))}
                </ul>
              )}
            </Section>
          </div>
        );
      }}
    </QueryView>
  );
}

const icons: Record<ShownSetting['source'], ReactNode> = {
  default: <Gear />,
  environment: <Terminal />,
  file: <FileText />,
};

function Row({ setting: { name, value, isSecret, source } }: { setting: ShownSetting }) {
  const { t } = useTranslation('admin');
  const isSet = source !== 'default';
  const words = value === null ? t(isSecret && isSet ? 'settings.set' : 'settings.notSet') : value;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 px-4 py-3 lg:flex-nowrap">
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-small font-semibold break-all text-ink">{name}</p>
        <p className={value === null ? 'text-body text-ink-3' : 'text-body break-all text-ink-2'}>
          {words === '' ? t('settings.empty') : words}
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">
        {isSecret && (
          <StateChip tone="warn" icon={<KeyRound />}>
            {t('settings.secret')}
          </StateChip>
        )}
        <StateChip tone={isSet ? 'brand' : 'neutral'} icon={icons[source]}>
          {t(`settings.sources.${source}`)}
        </StateChip>
      </div>
    </li>
  );
}
