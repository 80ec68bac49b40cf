import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn, IdCard, Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { allowedEmailDomains } from '#contract/access/endpoints.ts';
import { version } from '#contract/app/endpoints.ts';
import { listEvents } from '#contract/events/endpoints.ts';
import { useNow } from '../../base/clock.ts';
import { useConfig } from '../../base/config.ts';
import { errorWords } from '../../base/errors.ts';
import { usePageTitle } from '../../base/navigation.ts';
import { useCall } from '../../base/queries.ts';
import { useFormat } from '../../base/use-format.ts';
import { Page as Frame } from '../../ui/page.tsx';
import { ErrorState, List, ListRow, RowContent, rowLook, Section, Skeleton } from '../../ui/surfaces.tsx';

/** What an admin can see of this installation, and the admin's tasks. */
export function Page() {
  const { t } = useTranslation(['about', 'common']);
  const format = useFormat();
  const at = new Date(useNow(5000)).toISOString();
  const { data: config, error, refetch } = useConfig();
  const { data: served } = useCall(version, {}, { quiet: true });
  const { data: events } = useCall(listEvents, {}, { quiet: true });
  const { data: domains } = useCall(allowedEmailDomains, {}, { quiet: true });
  return (
    <Frame title={usePageTitle()} back wide>
      {config === undefined && error !== null && (
        <ErrorState
          title={t('common:trouble.title')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      )}
      {config === undefined && error === null && <Skeleton label={t('common:loading')} rows={5} />}
      {config !== undefined && (
        <div className="grid gap-5 lg:grid-cols-2">
          <Section title={t('about:admin.tasks')}>
            <List>
              <li>
                <Link to="/pages/admin/driverlincens" className={rowLook}>
                  <RowContent
                    leading={<IdCard aria-hidden className="text-ink-2" />}
                    title={t('about:admin.licenses')}
                    detail={t('about:admin.licensesText')}
                    chevron
                  />
                </Link>
              </li>
              <li>
                <Link to="/pages/admin/statistics" className={rowLook}>
                  <RowContent
                    leading={<ChartNoAxesColumn aria-hidden className="text-ink-2" />}
                    title={t('about:admin.statistics')}
                    detail={t('about:admin.statisticsText')}
                    chevron
                  />
                </Link>
              </li>
              {config.mailOutbox && (
                <li>
                  <Link to="/pages/demo/outbox" className={rowLook}>
                    <RowContent
                      leading={<Mail aria-hidden className="text-ink-2" />}
                      title={t('common:titles.outbox')}
                      chevron
                    />
                  </Link>
                </li>
              )}
            </List>
          </Section>
          <Section title={t('about:admin.installation')}>
            <List>
              {served !== undefined && (
                <ListRow
                  title={t('about:admin.version')}
                  trailing={<span className="figures">{`${served.version} (${served.build})`}</span>}
                />
              )}
              <ListRow
                title={t('about:admin.region')}
                {...(config.region.packs.length > 1
                  ? { detail: config.region.title }
                  : { trailing: config.region.title })}
              />
              <ListRow
                title={t('about:admin.clock')}
                trailing={<span className="figures">{format.when(at, config.region.timeZone)}</span>}
              />
              {events !== undefined && (
                <ListRow
                  title={t('about:admin.events')}
                  trailing={<span className="figures">{events.events.length}</span>}
                />
              )}
              {domains !== undefined && (
                <ListRow
                  title={t('about:admin.domains')}
                  trailing={domains.domains.join(', ') || t('about:admin.domainsAll')}
                />
              )}
              {config.mailOutbox && (
                <ListRow title={t('about:admin.mail')} trailing={t('about:admin.mailOutbox')} />
              )}
              <ListRow
                title={t('about:admin.demo')}
                trailing={t(config.demo ? 'about:admin.yes' : 'about:admin.no')}
              />
            </List>
          </Section>
        </div>
      )}
    </Frame>
  );
}
