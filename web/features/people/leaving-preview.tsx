import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Leaving } from '#contract/privacy/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { Banner } from '../../ui/surfaces.tsx';

/** True where something has to be paid, or to end, before an account can go. */
export const keepsFromLeaving = ({ orders, owedCents, openDisputes, openRefunds }: Leaving): boolean =>
  owedCents > 0 ||
  openDisputes > 0 ||
  openRefunds > 0 ||
  orders.some(({ may, feeCents }) => !may || feeCents > 0);

/** What deleting the account cancels, with its fees and strikes, and what has to be paid or end first. */
export function LeavingPreview({ leaving }: { leaving: Leaving }) {
  const { t } = useTranslation('settings');
  const { orders } = leaving;
  return (
    <div className="flex flex-col gap-3">
      <SettleFirst leaving={leaving} />
      {orders.length === 0 ? (
        <p className="text-body text-ink-2">{t('delete.nothingOpen')}</p>
      ) : (
        <>
          <p className="text-body font-semibold">{t('delete.cancels')}</p>
          <ul className="flex flex-col gap-2">
            {orders.map((order) => (
              <li key={order.id}>
                <LeavingOrder order={order} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Money that is still open, in one banner. */
function SettleFirst({ leaving: { owedCents, openDisputes, openRefunds } }: { leaving: Leaving }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const reasons = [
    ...(owedCents > 0 ? [t('delete.owes', { amount: format.money(owedCents) })] : []),
    ...(openDisputes > 0 ? [t('delete.disputes', { count: openDisputes })] : []),
    ...(openRefunds > 0 ? [t('delete.refunds', { count: openRefunds })] : []),
  ];
  if (reasons.length === 0) return null;
  return (
    <Banner kind="warn">
      {reasons.join(' ')}{' '}
      <Link to="/pages/account/payments" className="font-semibold underline underline-offset-4">
        {t('delete.toPayments')}
      </Link>
    </Banner>
  );
}

function LeavingOrder({ order }: { order: Leaving['orders'][number] }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { id, orderNumber, from, to, at, timeZone, joined, may, feeCents, strike, role } = order;
  const consequences = [
    ...(role === 'driver' && joined > 0 ? [t('delete.riders', { count: joined })] : []),
    ...(strike ? [t('delete.strike')] : []),
  ];
  const isInTheWay = !may || feeCents > 0;
  return (
    <article className="text-small">
      <p className="text-body break-words">{t('delete.route', { from, to })}</p>
      <p className="figures text-ink-2">
        {orderNumber} · {format.when(at, timeZone)}
      </p>
      {consequences.length > 0 && (
        <p className={strike ? 'font-semibold text-danger' : 'text-ink-2'}>{consequences.join(' ')}</p>
      )}
      {isInTheWay && (
        <p className="font-semibold">
          {may ? t('delete.fee', { amount: format.money(feeCents) }) : t('delete.underWay')}{' '}
          <Link
            to="/pages/order/detail"
            search={{ id }}
            className="font-semibold text-brand-ink underline underline-offset-4"
          >
            {t('delete.toOrder')}
          </Link>
        </p>
      )}
    </article>
  );
}
