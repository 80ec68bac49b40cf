import { Flag } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { handleReport, listReports, type PersonReport } from '#contract/admin/endpoints.ts';
import { reasonLength } from '#contract/units.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { useAction, usePaginatedCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { Avatar } from '../../ui/people.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PaginatedList } from '../../core/paginated-list.tsx';

const filters = ['open', 'all'] as const;

/** Reports about people: looked at, and closed with what came of it. */
export function Reports({ onShowUser }: { onShowUser: (name: string) => void }) {
  const { t } = useTranslation('admin');
  const [only, setOnly] = useState<(typeof filters)[number]>('open');
  const [closing, setClosing] = useState<PersonReport | null>(null);
  const pages = usePaginatedCall(
    listReports,
    { only },
    { items: ({ reports }) => reports, total: ({ total }) => total },
  );
  return (
    <div className="flex flex-col gap-4">
      <SegmentedControl
        label={t('reports.filter')}
        options={filters.map((value) => ({ value, label: t(`reports.${value}`) }))}
        value={only}
        onChange={setOnly}
      />
      <PaginatedList
        pages={pages}
        empty={<EmptyState icon={<Flag />} title={t('reports.none')} text={t('reports.noneText')} />}
      >
        {(reports) => (
          <ul className="flex flex-col gap-3">
            {reports.map((report) => (
              <li key={report.id}>
                <ReportCard report={report} onShowUser={onShowUser} onClose={() => setClosing(report)} />
              </li>
            ))}
          </ul>
        )}
      </PaginatedList>
      <OutcomeDialog key={closing?.id ?? ''} report={closing} onClose={() => setClosing(null)} />
    </div>
  );
}

function ReportCard({
  report,
  onShowUser,
  onClose,
}: {
  report: PersonReport;
  onShowUser: (name: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { subject, reporter, sentAt, handledAt } = report;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Avatar name={subject?.name ?? '?'} src={subject?.avatar ?? ''} seed={subject?.id ?? report.id} />
        <div className="min-w-0 flex-1">
          <p className="text-small text-ink-3">{t('reports.about')}</p>
          <h2 className="text-lead break-words">{subject?.name ?? t('gone')}</h2>
        </div>
        <StateChip tone={handledAt === null ? 'warn' : 'neutral'} icon={<Flag aria-hidden />}>
          {report.quote === '' ? t(`reports.reasons.${report.reason}`) : t('reports.aboutReview')}
        </StateChip>
      </div>
      {report.quote !== '' && (
        <blockquote className="rounded-control bg-page px-4 py-3 text-body break-words whitespace-pre-wrap">
          <span className="block text-small text-ink-3">{t('reports.review')}</span>
          {report.quote}
        </blockquote>
      )}
      {report.words !== '' && <p className="text-body break-words whitespace-pre-wrap">{report.words}</p>}
      <p className="text-small text-ink-3">
        {report.reason === 'late cancellations'
          ? t('reports.byApp', { when: format.relative(sentAt) })
          : t('reports.by', { name: reporter?.name ?? t('gone'), when: format.relative(sentAt) })}
        {report.others > 0 && ` · ${t('reports.others', { count: report.others })}`}
      </p>
      {handledAt !== null && (
        <div className="rounded-control bg-page px-4 py-3">
          <p className="text-small text-ink-3">{t('reports.closed', { when: format.relative(handledAt) })}</p>
          <p className="text-body break-words whitespace-pre-wrap">{report.outcome}</p>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        {handledAt === null && (
          <Button small onClick={onClose}>
            {t('reports.handle')}
          </Button>
        )}
        {subject !== null && (
          <TextButton onClick={() => onShowUser(subject.name)}>{t('reports.showUser')}</TextButton>
        )}
      </div>
    </Card>
  );
}

function OutcomeDialog({ report, onClose }: { report: PersonReport | null; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const [outcome, setOutcome, forgetDraft] = useTextDraft(`outcome.${report?.id ?? ''}`);
  const close = useAction(handleReport, {
    invalidates: ['/admin/'],
    onDone: () => {
      forgetDraft();
      onClose();
      toast.done(t('admin:reports.handled'));
    },
    onRefused: (refused) => refused.fields['outcome'] !== undefined,
  });
  return (
    <Dialog
      open={report !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:reports.handleTitle')}
      description={t('admin:reports.handleText')}
      closeLabel={t('common:close')}
      action={
        <Button
          full
          busy={close.busy}
          onClick={() => report !== null && close.run({ id: report.id, outcome })}
        >
          {t('admin:reports.handle')}
        </Button>
      }
    >
      <Field label={t('admin:reports.outcome')} error={close.fields['outcome']}>
        <TextArea
          value={outcome}
          maxLength={reasonLength}
          onChange={(event) => {
            setOutcome(event.target.value);
            close.reset();
          }}
        />
      </Field>
    </Dialog>
  );
}
