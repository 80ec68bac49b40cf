import { Link } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { receipts } from '#contract/payments/endpoints.ts';
import type { Receipt } from '#contract/payments/views.ts';
import { PaginatedList } from '../../core/paginated-list.tsx';
import { usePaginatedCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { List, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';

/** What I have paid for rides, the latest first; each opens its receipt. */
export function Receipts() {
  const { t } = useTranslation('payments');
  const pages = usePaginatedCall(
    receipts,
    {},
    { items: (page) => page.receipts, total: ({ total }) => total },
  );
  return (
    <Section title={t('receipts.title')}>
      <PaginatedList pages={pages} empty={<p className="text-body text-ink-2">{t('receipts.noneText')}</p>}>
        {(items) => (
          <List label={t('receipts.title')}>
            {items.map((receipt) => (
              <ReceiptRow key={receipt.bookingId} receipt={receipt} />
            ))}
          </List>
        )}
      </PaginatedList>
    </Section>
  );
}

/** What was paid in the end, or is authorized until then. */
const amountOf = ({ capturedCents, refundedCents, authorizedCents }: Receipt) =>
  capturedCents > 0 ? capturedCents - refundedCents : authorizedCents;

function ReceiptRow({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const { from, to, kind, state, rideAt, timeZone, bookingId } = receipt;
  return (
    <li>
      <Link to="/pages/account/payments" search={{ receipt: bookingId }} className={rowVariants}>
        <RowContent
          leading={<ReceiptText aria-hidden className="text-ink-2" />}
          title={`${from} → ${to}`}
          detail={
            <>
              <span className="figures block">{format.when(rideAt, timeZone)}</span>
              <span className="block">
                {[t(`state.${state}`), ...(kind === 'fare' ? [] : [t(`kind.${kind}`)])].join(' · ')}
              </span>
            </>
          }
          trailing={<span className="figures font-semibold">{format.money(amountOf(receipt))}</span>}
          chevron
        />
      </Link>
    </li>
  );
}
