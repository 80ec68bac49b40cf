import { Link } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { earnings } from '#contract/payments/endpoints.ts';
import type { Earning } from '#contract/payments/views.ts';
import { usePaginatedCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { StateChip, type Tone } from '../../ui/chips.tsx';
import { Card, Section } from '../../ui/surfaces.tsx';
import { PaginatedList } from '../../core/paginated-list.tsx';

const tones: Record<Earning['state'], Tone> = {
  coming: 'info',
  paid: 'brand',
  refunded: 'neutral',
  disputed: 'warn',
  chargedBack: 'warn',
};

/** What my rides have brought, with the fees taken off. */
export function Earnings() {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const pages = usePaginatedCall(
    earnings,
    {},
    { items: (page) => page.earnings, total: ({ total }) => total },
  );
  return (
    <Section title={t('earnings.title')}>
      {pages.first !== undefined && pages.items.length > 0 && (
        <Card>
          <dl className="grid grid-cols-2 gap-4">
            {(
              [
                ['net', pages.first.netCents],
                ['coming', pages.first.comingCents],
              ] as const
            ).map(([word, amountCents]) => (
              <div key={word} className="flex flex-col-reverse justify-end">
                <dt className="text-small text-ink-3">{t(`earnings.${word}`)}</dt>
                <dd className="figures text-heading font-semibold">{format.money(amountCents)}</dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
      <PaginatedList pages={pages} empty={<p className="text-body text-ink-2">{t('earnings.noneText')}</p>}>
        {(items) => (
          <ul aria-label={t('earnings.title')} className="flex flex-col gap-3">
            {items.map((earning) => (
              <li key={earning.bookingId}>
                <EarningCard earning={earning} />
              </li>
            ))}
          </ul>
        )}
      </PaginatedList>
    </Section>
  );
}

function EarningCard({ earning }: { earning: Earning }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const { from, to, other, rideAt, timeZone, kind, state } = earning;
  const lines = [
    [t('earnings.gross'), earning.grossCents],
    [t('earnings.fee'), -earning.feeCents],
    ...(earning.refundedCents > 0 ? ([[t('earnings.refunded'), -earning.refundedCents]] as const) : []),
  ] as const;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="text-lead break-words">{other?.name ?? t('gone')}</p>
          <p className="text-small text-ink-3">
            {from} → {to}
          </p>
          <p className="figures text-small text-ink-3">
            {[format.when(rideAt, timeZone), ...(kind === 'fare' ? [] : [t(`kind.${kind}`)])].join(' · ')}
          </p>
        </div>
        <StateChip tone={tones[state]} icon={<HandCoins aria-hidden />}>
          {t(`earnings.state.${state}`)}
        </StateChip>
      </div>
      <dl className="figures flex flex-col gap-1">
        {lines.map(([label, amountCents]) => (
          <div key={label} className="flex justify-between gap-4 text-body text-ink-2">
            <dt>{label}</dt>
            <dd>{format.money(amountCents)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 text-lead font-semibold">
          <dt>{t('earnings.keep')}</dt>
          <dd>{format.money(earning.netCents)}</dd>
        </div>
      </dl>
      <Link
        to="/pages/order/detail"
        search={{ id: earning.rideId }}
        className="inline-flex min-h-11 items-center self-start font-semibold text-brand-ink underline-offset-4 hover:underline"
      >
        {t('receipt.openRide')}
      </Link>
    </Card>
  );
}
