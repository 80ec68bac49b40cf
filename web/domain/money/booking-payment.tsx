import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paymentMethods } from '#contract/payments/endpoints.ts';
import type { BookingPayment, SavedCard } from '#contract/payments/views.ts';
import { openAskStates } from '#contract/rides/moves.ts';
import type { Booking } from '#contract/rides/views.ts';
import { feesOf } from './fees.ts';
import { useMoneyTerms } from './money-terms.ts';
import { useCall } from '../../core/queries.ts';
import { PartView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { useCardName, useDeclineWords } from './card-words.ts';
import { ClaimPart } from './claim-part.tsx';
import { PaymentChip } from './payment-state.tsx';
import { TimeToPay } from './time-to-pay.tsx';

type Side = 'driver' | 'passenger';

/** How often an order is read again while the provider is at work, in case its event gets lost on the way. */
export const processingEveryMs = 3_000;

/** Whether the provider is at work on a payment that the booking waits for. */
export const isProcessing = ({ awaits, payment }: Pick<Booking, 'awaits' | 'payment'>): boolean =>
  awaits === 'payment' && payment !== null && payment.need === null;

export interface BookingPaymentProps {
  booking: Booking;
  side: Side;
  otherName: string;
  timeZone: string;
}

/** The payment of one booking: its state in words, in lines, until when, and what may be said against it. */
export function PaymentOfBooking({ booking, side, otherName, timeZone }: BookingPaymentProps) {
  const { t } = useTranslation('payments');
  const { payment } = booking;
  if (payment === null) {
    const isOpen = openAskStates.includes(booking.state) && booking.fareCents > 0;
    return side === 'passenger' && isOpen ? <CardReady /> : null;
  }
  return (
    <section aria-label={t('booking.title')} className="flex flex-col gap-2 border-t border-line pt-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-body font-semibold">{t('booking.title')}</h3>
        <PaymentChip state={payment.state} />
      </div>
      <Situation payment={payment} side={side} timeZone={timeZone} />
      {side === 'driver' && payment.need !== null && payment.need !== 'driverAccount' && (
        <Reminded reminder={payment.reminder} timeZone={timeZone} />
      )}
      {side === 'driver' && payment.need === 'driverAccount' && (
        <Link
          to="/pages/account/payments"
          className="inline-flex min-h-11 items-center self-start font-semibold text-brand-ink underline-offset-4 hover:underline"
        >
          {t('need.setUp')}
        </Link>
      )}
      {/* A passenger who has to do something reads it at the button. */}
      {booking.awaits === 'payment' && booking.expiresAt !== null && side === 'driver' && (
        <TimeToPay at={booking.expiresAt} />
      )}
      <Lines payment={payment} side={side} />
      <ClaimPart
        bookingId={booking.id}
        payment={payment}
        side={side}
        otherName={otherName}
        timeZone={timeZone}
      />
      {side === 'passenger' && (payment.authorizedCents > 0 || payment.capturedCents > 0) && (
        <Link
          to="/pages/account/payments"
          search={{ receipt: booking.id }}
          className="inline-flex min-h-11 items-center self-start font-semibold text-brand-ink underline-offset-4 hover:underline"
        >
          {t('receipt.title')}
        </Link>
      )}
    </section>
  );
}

function Situation({ payment, side, timeZone }: { payment: BookingPayment; side: Side; timeZone: string }) {
  const words = useSituation(payment, side, timeZone);
  const isTrouble = payment.need === 'anotherCard' || payment.need === 'driverAccount';
  return (
    <p
      role={isTrouble && side === 'passenger' ? 'alert' : undefined}
      className={isTrouble ? 'text-body text-danger' : 'text-body text-ink-2'}
    >
      {words}
    </p>
  );
}

/** When and how the passenger was reminded of what their payment needs. */
function Reminded({ reminder, timeZone }: { reminder: BookingPayment['reminder']; timeZone: string }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  return (
    <p className="text-small text-ink-2">
      {reminder === null
        ? t('need.notReminded')
        : t('need.reminded', {
            by: t(`need.by.${reminder.by}`),
            when: format.whenInSentence(reminder.at, timeZone),
          })}
    </p>
  );
}

/** A share that was objected to before it is taken: it is let go unless an admin decides otherwise. */
const isHeldUp = ({ kind, capturedCents, dispute }: BookingPayment): boolean =>
  (kind === 'partWay' || kind === 'contested') &&
  capturedCents === 0 &&
  dispute !== null &&
  dispute.state !== 'resolved';

/** The meaning of a payment for the viewer: first what is needed, then what will happen, then its state. */
function useSituation(payment: BookingPayment, side: Side, timeZone: string): string {
  const { t } = useTranslation(['payments', 'reasons']);
  const format = useFormat();
  const declineWords = useDeclineWords();
  const { need, state, holdAt, captureAt, owedCents, declineCode } = payment;
  const amount = format.money(payment.amountCents);
  if (need !== null) {
    // Says that the passenger was reminded once it has happened.
    if (side === 'driver')
      return t(
        need !== 'driverAccount' && payment.reminder === null
          ? `payments:need.driverUntold.${need}`
          : `payments:need.driver.${need}`,
      );
    if (need === 'card') return t('payments:need.cardText', { amount });
    if (need === 'confirmation') return t('payments:need.confirmationText', { amount });
    if (need === 'driverAccount') return t('payments:need.driverAccountText');
    return [t('reasons:payment.failed'), ...(declineCode === null ? [] : [declineWords(declineCode)])].join(
      ' ',
    );
  }
  if (holdAt !== null)
    return t('payments:explain.holdAt', { amount, when: format.whenInSentence(holdAt, timeZone) });
  if (isHeldUp(payment)) return t(`payments:explain.objected.${side}`);
  if (captureAt !== null && owedCents > 0) {
    return t('payments:explain.captureAt', {
      amount: format.money(owedCents),
      when: format.whenInSentence(captureAt, timeZone),
    });
  }
  const shown = state === 'succeeded' ? payment.capturedCents : payment.authorizedCents;
  return t(`payments:explain.${side}.${state}`, { amount: format.money(shown) });
}

function Lines({ payment, side }: { payment: BookingPayment; side: Side }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const terms = useMoneyTerms();
  const { authorizedCents, capturedCents, refundedCents, owedCents, kind } = payment;
  const comes = capturedCents > 0 ? capturedCents : owedCents;
  const lines: (readonly [label: string, amountCents: number])[] = [];
  if (authorizedCents > 0 && capturedCents === 0) lines.push([t('line.held'), authorizedCents]);
  if (comes > 0 && kind !== 'fare') lines.push([t(`kind.${kind}`), comes]);
  if (owedCents > 0 && capturedCents === 0 && !isHeldUp(payment)) lines.push([t('line.owed'), owedCents]);
  if (capturedCents > 0) lines.push([t('line.taken'), capturedCents]);
  if (refundedCents > 0) lines.push([t('line.refunded'), -refundedCents]);
  if (side === 'driver' && comes > 0 && terms !== undefined) {
    const fees = feesOf(comes, terms, refundedCents);
    lines.push([t('line.fees'), -fees], [t('line.receives'), comes - refundedCents - fees]);
  }
  if (lines.length === 0) return null;
  return (
    <dl className="figures flex flex-col gap-1">
      {lines.map(([label, amountCents]) => (
        <div key={label} className="flex items-baseline justify-between gap-4 text-body text-ink-2">
          <dt>{label}</dt>
          <dd>{format.money(amountCents)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Before both have agreed: which card will be used, or the way to save one in time. */
function CardReady() {
  const { t } = useTranslation('payments');
  const saved = useCall(paymentMethods, {}, { quiet: true });
  return (
    <PartView query={saved} failed={t('cards.failed')}>
      {({ methods }) => <DefaultCard card={methods.find(({ isDefault }) => isDefault)} />}
    </PartView>
  );
}

function DefaultCard({ card }: { card: SavedCard | undefined }) {
  const { t } = useTranslation('payments');
  const nameOf = useCardName();
  const words =
    card === undefined
      ? t('booking.noCard')
      : t(card.state === 'expired' ? 'booking.expired' : 'booking.willUse', { card: nameOf(card) });
  const isReady = card !== undefined && card.state !== 'expired';
  return (
    <div>
      <p className={isReady ? 'text-small text-ink-3' : 'text-body text-warn'}>{words}</p>
      {!isReady && (
        <Link
          to="/pages/account/payments"
          className="inline-flex min-h-11 items-center font-semibold text-brand-ink underline-offset-4 hover:underline"
        >
          {t('cards.add')}
        </Link>
      )}
    </div>
  );
}
