import { useTranslation } from 'react-i18next';
import { securityFigures } from '#contract/admin/security.ts';
import type { OutputOf } from '#contract/define.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { CountsTable } from './counts-table.tsx';

type Counts = OutputOf<typeof securityFigures>['counts'];

const spans = ['lately', 'day', 'week'] as const;

/** How many sign-ins, refused tries and forged messages there were: what an attack looks like from here. */
export function SecurityFigures({ timeZone }: { timeZone: string }) {
  const figures = useCall(securityFigures, {});
  return (
    <QueryView query={figures} skeleton={{ kind: 'figures', rows: 6 }}>
      {({ counts }) => <FiguresTable counts={counts} timeZone={timeZone} />}
    </QueryView>
  );
}

function FiguresTable({ counts, timeZone }: { counts: Counts; timeZone: string }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <CountsTable
      heading={t('security.event')}
      columns={spans.map((span) => ({ key: span, title: t(`security.${span}`) }))}
      rows={counts.map((row) => ({
        key: row.event,
        title: t(`security.events.${row.event}`),
        details:
          row.lastAt === null
            ? []
            : [t('security.last', { when: format.whenInSentence(row.lastAt, timeZone) })],
        cells: spans.map((span) => ({ text: row[span] })),
      }))}
    />
  );
}
