import { useTranslation } from 'react-i18next';
import type { Receipt } from '#contract/payments/views.ts';
import { useMoneyTerms } from '../../domain/money/money-terms.ts';
import { useSession } from '../../core/use-session.ts';
import { useFormat } from '../../core/use-format.ts';
import { classes } from '../../ui/classes.ts';
import { useCardName } from '../../domain/money/card-words.ts';
import { PaymentChip } from '../../domain/money/payment-state.tsx';

/** Which ride, when and between whom, as label and value. */
function useFacts(receipt: Receipt) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const { user } = useSession();
  const cardName = useCardName();
  // A paper is read long after: its days are written out, never as "today".
  const day = (iso: string) => format.longDateAndTime(iso, receipt.timeZone);
  return [
    [t('receipt.order'), receipt.orderNumber],
    [t('receipt.ride'), `${receipt.from} → ${receipt.to}`],
    [t('receipt.issued'), day(receipt.rideAt)],
    [t('receipt.driver'), receipt.other?.name ?? t('gone')],
    [t('receipt.passenger'), user.name],
    [t('receipt.seats'), String(receipt.seats)],
    [t('receipt.for'), t(`kind.${receipt.kind}`)],
    ...(receipt.ridden === null
      ? []
      : [
          [
            t('receipt.ridden'),
            t('receipt.riddenOf', {
              ridden: format.distance(receipt.ridden.riddenMetres),
              way: format.distance(receipt.ridden.routeMetres),
            }),
          ] as const,
        ]),
    ...(receipt.card === '' ? [] : [[t('receipt.card'), cardName(partsOf(receipt.card))] as const]),
    ...(receipt.capturedAt === null ? [] : [[t('receipt.capturedAt'), day(receipt.capturedAt)] as const]),
  ] as const;
}

/** What was authorized, captured and refunded, and the total: label, cents, and whether it is the total. */
function useAmounts(receipt: Receipt) {
  const { t } = useTranslation('payments');
  const isTaken = receipt.capturedCents > 0;
  return [
    ...(receipt.authorizedCents > 0 && !isTaken
      ? ([[t('line.held'), receipt.authorizedCents, false]] as const)
      : []),
    ...(isTaken ? ([[t('line.taken'), receipt.capturedCents, false]] as const) : []),
    ...(receipt.refundedCents > 0 ? ([[t('line.refunded'), -receipt.refundedCents, false]] as const) : []),
    [t('receipt.total'), receipt.capturedCents - receipt.refundedCents, true],
  ] as const;
}

/** A receipt as it is shown and printed: who, what for, every amount, and the state of the payment. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation(['payments', 'common']);
  const format = useFormat();
  const isTest = useMoneyTerms()?.provider === 'sandbox';
  const isTaken = receipt.capturedCents > 0;
  const facts = useFacts(receipt);
  const amounts = useAmounts(receipt);
  return (
    <article className="flex flex-col gap-5 rounded-control bg-surface p-5 shadow-card print:p-0 print:shadow-none">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <p className="text-small font-semibold text-brand-ink">{t('common:product')}</p>
          <h2 className="text-heading">
            {t(isTaken ? 'payments:receipt.title' : 'payments:receipt.interim')}
          </h2>
        </div>
        <PaymentChip state={receipt.state} />
      </header>
      {isTest && (
        <p className="rounded-small border border-warn px-3 py-2 text-body font-semibold text-warn">
          {t('payments:receipt.testMark')}
        </p>
      )}
      <dl className="flex flex-col gap-2">
        {facts.map(([label, value]) => (
          <div key={label} className="flex items-baseline justify-between gap-4 text-body">
            <dt className="shrink-0 text-ink-2">{label}</dt>
            <dd className="figures text-right break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <dl className="figures flex flex-col gap-1.5 border-t border-line pt-4">
        {amounts.map(([label, amountCents, total]) => (
          <div
            key={label}
            className={classes(
              'flex items-baseline justify-between gap-4',
              total ? 'text-lead font-semibold' : 'text-body text-ink-2',
            )}
          >
            <dt>{label}</dt>
            <dd>{format.money(amountCents)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-small text-ink-3">{t('payments:receipt.usd')}</p>
    </article>
  );
}

/** The label under which a card was used, brand first and the last four digits at its end. */
const partsOf = (label: string) => ({ brand: label.split(' ')[0] ?? '', last4: label.slice(-4) });
