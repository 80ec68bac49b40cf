import { useTranslation } from 'react-i18next';
import { securityFigures } from '#contract/admin/security.ts';
import type { OutputOf } from '#contract/define.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';

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
    <div className="overflow-x-auto rounded-control bg-surface shadow-card">
      <table className="w-full text-small">
        <thead>
          <tr className="border-b border-line text-ink-2">
            <th scope="col" className="px-4 py-3 text-start font-semibold">
              {t('security.event')}
            </th>
            {spans.map((span) => (
              <th key={span} scope="col" className="px-3 py-3 text-end font-semibold">
                {t(`security.${span}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {counts.map((row) => (
            <tr key={row.event}>
              <th scope="row" className="px-4 py-3 text-start font-normal">
                <span className="block text-body">{t(`security.events.${row.event}`)}</span>
                {row.lastAt !== null && (
                  <span className="text-ink-3">
                    {t('security.last', { when: format.when(row.lastAt, timeZone) })}
                  </span>
                )}
              </th>
              {spans.map((span) => (
                <td key={span} className="figures px-3 py-3 text-end">
                  {row[span]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
