import { Link } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { receipts } from '#contract/payments/endpoints.ts';
import type { Receipt } from '#contract/payments/views.ts';
import { PagesOf } from '../../core/pages-of.tsx';
import { usePages } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { List, RowContent, rowLook, Section } from '../../ui/surfaces.tsx';

/** What I have paid for rides, the latest first; each opens its receipt. */
export function Receipts() {
  const { t } = useTranslation('payments');
  const pages = usePages(receipts, {}, { items: (page) => page.receipts, total: ({ total }) => total });
  return (
    <Section title={t('receipts.title')}>
      <PagesOf pages={pages} empty={<p className="text-body text-ink-2">{t('receipts.noneText')}</p>}>
        {(items) => (
          <List label={t('receipts.title')}>
            {items.map((receipt) => (
              <ReceiptRow key={receipt.bookingId} receipt={receipt} />
            ))}
          </List>
        )}
      </PagesOf>
    </Section>
  );
}

/** What was paid in the end, or is held meanwhile. */
const amountOf = ({ takenCents, refundedCents, heldCents }: Receipt) =>
  takenCents > 0 ? takenCents - refundedCents : heldCents;

function ReceiptRow({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const { from, to, kind, state, rideAt, timeZone, bookingId } = receipt;
  return (
    <li>
      <Link to="/pages/account/payments" search={{ receipt: bookingId }} className={rowLook}>
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
