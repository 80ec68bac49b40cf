import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import type { listDisputes } from '#contract/payments/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { Banner, Card } from '../../ui/surfaces.tsx';

type Found = OutputOf<typeof listDisputes>['reconciliation'];

/** Whether our books and the card provider's say the same, payment by payment. */
export function Reconciliation({ of: found }: { of: Found | undefined }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  if (found === undefined) return null;
  if (found === null) return <p className="text-small text-ink-3">{t('reconciliation.never')}</p>;
  const when = format.relative(found.at);
  const count = found.differences.length;
  if (count === 0) {
    return (
      <p className="text-small text-ink-3">{t('reconciliation.clean', { count: found.checked, when })}</p>
    );
  }
  const cell = 'px-2 py-1.5 text-right';
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-lead">{t('reconciliation.title')}</h2>
      <Banner kind="danger">
        {t('reconciliation.differences', { count, checked: found.checked, when })}
      </Banner>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys must be able to scroll it */}
      <section className="max-h-72 overflow-auto" tabIndex={0} aria-label={t('reconciliation.title')}>
        <table className="figures w-full text-small">
          <thead className="sticky top-0 bg-surface text-ink-3">
            <tr>
              <th scope="col" className="px-2 py-1.5 text-left font-semibold">
                {t('reconciliation.booking')}
              </th>
              <th scope="col" className="px-2 py-1.5 text-left font-semibold">
                {t('reconciliation.what')}
              </th>
              <th scope="col" className={`${cell} font-semibold`}>
                {t('reconciliation.ours')}
              </th>
              <th scope="col" className={`${cell} font-semibold`}>
                {t('reconciliation.theirs')}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.differences.map(({ bookingId, what, oursCents, theirsCents }) => (
              <tr key={`${bookingId} ${what}`} className="border-t border-line">
                <th scope="row" className="px-2 py-1.5 text-left font-normal break-all">
                  {bookingId}
                </th>
                <td className="px-2 py-1.5">{what}</td>
                <td className={cell}>{format.money(oursCents)}</td>
                <td className={cell}>{format.money(theirsCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
