import { Link } from '@tanstack/react-router';
import { Map as MapIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { withdraw } from '#contract/rides/endpoints.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { TextButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { PaymentOfBooking } from '../../../domain/money/booking-payment.tsx';
import { useBringsWords } from './brings-words.ts';
import { ContactButtons } from '../../../domain/person/contact-buttons.tsx';
import { ExpiresIn } from '../../../domain/ride/countdown.tsx';
import { PersonLine } from '../../../domain/person/person-line.tsx';
import { PlacesLines } from '../../../domain/place/places-lines.tsx';
import { useAmount } from '../../../domain/money/price-lines.tsx';
import { headOf, StateChip } from '../../../domain/ride/state-chip.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { AskAnswer } from '../../../domain/booking/ask-answer.tsx';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';

/** What they bring, what they cost me in time, and what they pay. */
function useAskFacts(booking: Booking, priceKind: Ride['priceKind']): string[] {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const amount = useAmount();
  const brings = useBringsWords();
  return [
    ...brings(booking),
    booking.detourSeconds < 30
      ? t('why.noDetour')
      : t('why.detour', { time: format.duration(booking.detourSeconds) }),
    booking.fareCents === 0
      ? t('price.free')
      : t(priceKind === 'perCar' ? 'ask.paysUpTo' : 'ask.pays', { amount: amount(booking.fareCents) }),
  ];
}

/**
 * A passenger who asks to join my ride, or whom I have invited: who, from where to where, what it costs me,
 * and my answer.
 */
export function AskCard({
  booking,
  timeZone,
  priceKind,
  isAnsweredBelow = false,
}: {
  booking: Booking;
  timeZone: string;
  priceKind: Ride['priceKind'];
  /** True where the page has the answer as its one action. */
  isAnsweredBelow?: boolean;
}) {
  const { t } = useTranslation('rides');
  const facts = useAskFacts(booking, priceKind);
  return (
    <Card className="flex flex-col gap-3">
      <div className={headOf(booking.state)}>
        <div className="min-w-0 flex-1">
          <PersonLine person={booking.passenger} detail={t('seats', { count: booking.seats })} />
        </div>
        <StateChip label={booking.state} />
      </div>
      <PlacesLines
        from={booking.pickup}
        to={booking.dropoff}
        fromAt={booking.pickup.at}
        toAt={booking.dropoff.at}
        timeZone={timeZone}
      />
      <p className="text-body font-semibold">{facts.join(' · ')}</p>
      {booking.message !== '' && (
        <p className="rounded-small bg-page px-3 py-2 text-body break-words whitespace-pre-line">
          {booking.message}
        </p>
      )}
      <PaymentOfBooking
        booking={booking}
        side="driver"
        otherName={booking.passenger.name}
        timeZone={timeZone}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <Link
          to="/pages/order/matchmap"
          search={{ rideId: booking.rideId, requestId: booking.requestId }}
          className="inline-flex min-h-11 items-center gap-1.5 font-semibold text-brand-ink underline-offset-4 hover:underline"
        >
          <MapIcon aria-hidden className="size-5" />
          {t('ask.map')}
        </Link>
        {booking.expiresAt !== null && booking.awaits !== 'payment' && <ExpiresIn at={booking.expiresAt} />}
      </div>
      {/* Before a passenger joins, the two talk in a thread of their own, which has the booking's id. */}
      <ContactButtons name={shortName(booking.passenger.name)} phone="" email="" roomId={booking.id} />
      {booking.state === 'requesting' && !isAnsweredBelow && (
        <AskAnswer
          bookingId={booking.id}
          name={shortName(booking.passenger.name)}
          mayAccept={booking.may.includes('accept')}
          mayReject={booking.may.includes('reject')}
        />
      )}
      {booking.state !== 'requesting' && <WithdrawInvitation booking={booking} />}
    </Card>
  );
}

function WithdrawInvitation({ booking }: { booking: Booking }) {
  const { t } = useTranslation('rides');
  const isToPay = booking.awaits === 'payment';
  const action = useRideAction(withdraw, () =>
    toast.done(t(isToPay ? 'ask.gaveUp' : 'ask.invitationWithdrawn')),
  );
  if (!booking.may.includes('withdrawInvitation')) return null;
  return (
    <TextButton
      tone="danger"
      className="self-start"
      disabled={action.busy}
      onClick={() => action.run({ bookingId: booking.id })}
    >
      {t(isToPay ? 'ask.takeBack' : 'ask.withdrawInvitation')}
    </TextButton>
  );
}
