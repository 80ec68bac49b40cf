import { useTranslation } from 'react-i18next';
import { securityFigures } from '#contract/admin/security.ts';
import { errorWords } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/surfaces.tsx';

const spans = ['lately', 'day', 'week'] as const;

/** How many sign-ins, refused tries and forged messages there were: what an attack looks like from here. */
export function SecurityFigures({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation(['admin', 'common']);
  const format = useFormat();
  const { data, error, refetch } = useCall(securityFigures, {});
  if (data === undefined && error !== null)
    return (
      <ErrorState
        title={t('common:trouble.title')}
        text={errorWords(error)}
        retryLabel={t('common:retry')}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined) return <Skeleton label={t('common:loading')} rows={6} kind="figures" />;
  return (
    <div className="overflow-x-auto rounded-control bg-surface shadow-card">
      <table className="w-full text-small">
        <thead>
          <tr className="border-b border-line text-ink-2">
            <th scope="col" className="px-4 py-3 text-start font-semibold">
              {t('admin:security.event')}
            </th>
            {spans.map((span) => (
              <th key={span} scope="col" className="px-3 py-3 text-end font-semibold">
                {t(`admin:security.${span}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {data.counts.map((row) => (
            <tr key={row.event}>
              <th scope="row" className="px-4 py-3 text-start font-normal">
                <span className="block text-body">{t(`admin:security.events.${row.event}`)}</span>
                {row.lastAt !== null && (
                  <span className="text-ink-3">
                    {t('admin:security.last', { when: format.when(row.lastAt, timeZone) })}
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
