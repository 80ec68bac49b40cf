import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn, Flag, IdCard, Landmark, Mail, MessageSquareText, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { allowedEmailDomains } from '#contract/access/endpoints.ts';
import { statistics } from '#contract/admin/endpoints.ts';
import { version } from '#contract/app/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { config as configCall } from '#contract/app/endpoints.ts';
import { listEvents } from '#contract/events/endpoints.ts';
import { listDisputes, listMoney } from '#contract/payments/endpoints.ts';
import { listTickets } from '#contract/tickets/endpoints.ts';
import { useNow } from '../../core/clock.ts';
import { useCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { List, ListRow, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';
import { useMay } from './use-may.ts';

/** What waits for an admin, and what this installation is. */
export function Overview({ config }: { config: OutputOf<typeof configCall> }) {
  const { t } = useTranslation(['admin', 'common']);
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <Section title={t('admin:overview.tasks')}>
        <Tasks mailOutbox={config.mailOutbox} />
      </Section>
      <Section title={t('admin:overview.installation')}>
        <Installation config={config} />
      </Section>
    </div>
  );
}

function Tasks({ mailOutbox }: { mailOutbox: boolean }) {
  const { t } = useTranslation(['admin', 'common']);
  const may = useMay();
  return (
    <List>
      {may('licenses.read') && <Licenses />}
      {may('feedback.read') && <FeedbackTask />}
      {may('reports.read') && <ReportsTask />}
      {may('disputes.read') && <DisputesTask />}
      {may('money.read') && <MoneyTask />}
      {may('figures.read') && (
        <li>
          <Link to="/pages/admin/statistics" className={rowVariants}>
            <RowContent
              leading={<ChartNoAxesColumn aria-hidden className="text-ink-2" />}
              title={t('admin:overview.statistics')}
              detail={t('admin:overview.statisticsText')}
              chevron
            />
          </Link>
        </li>
      )}
      {mailOutbox && (
        <li>
          <Link to="/pages/demo/outbox" className={rowVariants}>
            <RowContent
              leading={<Mail aria-hidden className="text-ink-2" />}
              title={t('common:titles.outbox')}
              chevron
            />
          </Link>
        </li>
      )}
    </List>
  );
}

function FeedbackTask() {
  const count = useCall(listTickets, { kind: 'feedback', size: 1 }, { quiet: true }).data?.counts.open;
  return (
    <Task what="feedback" icon={<MessageSquareText aria-hidden className="text-ink-2" />} count={count} />
  );
}

function ReportsTask() {
  const count = useCall(listTickets, { kind: 'report', size: 1 }, { quiet: true }).data?.counts.open;
  return <Task what="reports" icon={<Flag aria-hidden className="text-ink-2" />} count={count} />;
}

function DisputesTask() {
  return (
    <Task what="disputes" icon={<Scale aria-hidden className="text-ink-2" />} count={useOpenDisputes()} />
  );
}

function MoneyTask() {
  const count = useCall(listMoney, {}, { quiet: true }).data?.alarms.length;
  return <Task what="money" icon={<Landmark aria-hidden className="text-ink-2" />} count={count} />;
}

/** Where each kind of task is done. */
const tasks = {
  feedback: { view: 'tickets', kind: 'feedback' },
  reports: { view: 'tickets', kind: 'report' },
  disputes: { view: 'disputes' },
  money: { view: 'money' },
} as const;

/** What waits in one part of the admin's page. */
function Task({
  what,
  icon,
  count,
}: {
  what: keyof typeof tasks;
  icon: ReactNode;
  /** Undefined until it is read. */
  count: number | undefined;
}) {
  const { t } = useTranslation('admin');
  return (
    <li>
      <Link to="/pages/admin/admin" search={tasks[what]} className={rowVariants}>
        <RowContent
          leading={icon}
          title={t(`overview.${what}`)}
          detail={
            count !== undefined &&
            (count === 0 ? t(`overview.${what}None`) : t(`overview.${what}Open`, { count }))
          }
          trailing={<Count of={count} />}
          chevron
        />
      </Link>
    </li>
  );
}

/** How many driver's licenses wait, and since when. */
function Licenses() {
  const { t } = useTranslation('admin');
  const enabled = useMay()('figures.read');
  const now = useCall(statistics, { by: 'day' }, { quiet: true, enabled }).data?.now;
  const format = useFormat();
  const since = now?.oldestLicenceSentAt ?? null;
  return (
    <li>
      <Link to="/pages/admin/driverlincens" className={rowVariants}>
        <RowContent
          leading={<IdCard aria-hidden className="text-ink-2" />}
          title={t('overview.licenses')}
          detail={
            now !== undefined &&
            (since === null
              ? t('overview.licensesNone')
              : t('overview.licensesWait', {
                  count: now.licencesWaiting,
                  since: format.relative(since),
                }))
          }
          trailing={<Count of={now?.licencesWaiting} />}
          chevron
        />
      </Link>
    </li>
  );
}

/** Disputes that are not decided yet; undefined until both counts are read. */
function useOpenDisputes(): number | undefined {
  const unanswered = useCall(listDisputes, { state: 'open' }, { quiet: true }).data?.total;
  const answered = useCall(listDisputes, { state: 'answered' }, { quiet: true }).data?.total;
  return unanswered === undefined || answered === undefined ? undefined : unanswered + answered;
}

/** How many wait; nothing while none does. Read aloud with the row's second line already. */
function Count({ of }: { of: number | undefined }): ReactNode {
  if (of === undefined || of === 0) return null;
  return (
    <span aria-hidden className="figures rounded-full bg-danger px-2 text-small font-semibold text-white">
      {of}
    </span>
  );
}

function Installation({ config }: { config: OutputOf<typeof configCall> }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const at = new Date(useNow(5000)).toISOString();
  const { data: served } = useCall(version, {}, { quiet: true });
  const { data: events } = useCall(listEvents, {}, { quiet: true });
  const { data: domains } = useCall(allowedEmailDomains, {}, { quiet: true });
  return (
    <List>
      {served !== undefined && (
        <ListRow
          title={t('overview.version')}
          trailing={<span className="figures">{`${served.version} (${served.build})`}</span>}
        />
      )}
      <ListRow
        title={t('overview.region')}
        {...(config.region.packs.length > 1
          ? { detail: config.region.title }
          : { trailing: config.region.title })}
      />
      <ListRow
        title={t('overview.clock')}
        trailing={<span className="figures">{format.when(at, config.region.timeZone)}</span>}
      />
      {events !== undefined && (
        <ListRow
          title={t('overview.events')}
          trailing={<span className="figures">{events.events.length}</span>}
        />
      )}
      {domains !== undefined && (
        <ListRow
          title={t('overview.domains')}
          trailing={domains.domains.join(', ') || t('overview.domainsAll')}
        />
      )}
      {config.mailOutbox && <ListRow title={t('overview.mail')} trailing={t('overview.mailOutbox')} />}
      <ListRow title={t('overview.demo')} trailing={t(config.demo ? 'overview.yes' : 'overview.no')} />
    </List>
  );
}
