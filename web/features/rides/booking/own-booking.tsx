import { Link } from '@tanstack/react-router';
import { Map as MapIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { orderDetail, reject, withdraw } from '#contract/rides/endpoints.ts';
import { endedEarlyStates, openAskStates } from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { useHoldWords } from '../../../domain/money/money-terms.ts';
import { useCall } from '../../../core/queries.ts';
import { QueryView } from '../../../core/query-view.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { TextButton } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { PaymentOfBooking } from '../../../domain/money/booking-payment.tsx';
import { InvitationAnswer } from '../../../domain/booking/invitation-answer.tsx';
import { InterruptedShare } from '../interrupted/interrupted-share.tsx';
import { ContactButtons } from '../../../domain/person/contact-buttons.tsx';
import { ExpiresIn } from '../../../domain/ride/countdown.tsx';
import { useReasonText } from '../detail/ended-words.ts';
import { PersonLine } from '../../../domain/person/person-line.tsx';
import { PlacesLines } from '../../../domain/place/places-lines.tsx';
import { PriceLines } from '../../../domain/money/price-lines.tsx';
import { leastOf, shareIs, shareOf } from '#contract/rides/share.ts';
import { headOf, StateChip } from '../../../domain/ride/state-chip.tsx';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';
import { useVehicleWords } from '../../../domain/ride/vehicle-words.ts';

/** My place in a person's ride, in any state: asked, invited, agreed or over. */
export function OwnBooking({
  booking,
  isAnsweredBelow = false,
}: {
  booking: Booking;
  /** True where the page has the answer to this invitation as its one action. */
  isAnsweredBelow?: boolean;
}) {
  const { t } = useTranslation('rides');
  const ride = useCall(orderDetail, { id: booking.rideId }, { quiet: true });
  return (
    <QueryView query={ride} failed={t('detail.failed')} skeleton={{ rows: 1, kind: 'cards' }}>
      {({ order }) =>
        order.role === 'driver' ? (
          <BookingCard booking={booking} ride={order} linked isAnsweredBelow={isAnsweredBelow} />
        ) : null
      }
    </QueryView>
  );
}

export function BookingCard({
  booking,
  ride,
  linked = false,
  isAnsweredBelow,
}: {
  booking: Booking;
  ride: Ride;
  /** Offers the way to the ride's own page. */
  linked?: boolean;
  isAnsweredBelow: boolean;
}) {
  const { t } = useTranslation('rides');
  const reasonText = useReasonText();
  const over = endedEarlyStates.includes(booking.state);
  return (
    <Card className="flex flex-col gap-3">
      <BookingHead booking={booking} ride={ride} />
      <InterruptedShare booking={booking} />
      {over ? (
        booking.reason !== '' &&
        booking.reason !== booking.broken?.kind && (
          <p className="text-body text-ink-2">{reasonText(booking.reason)}</p>
        )
      ) : (
        <BookingTerms booking={booking} ride={ride} />
      )}
      <PaymentOfBooking
        booking={booking}
        side="passenger"
        otherName={ride.driver.name}
        timeZone={ride.timeZone}
      />
      {booking.awaits === 'answer' && (
        <p className="text-body font-semibold text-brand-ink">{t('waitlist.kept')}</p>
      )}
      {booking.message !== '' && !over && (
        <p className="rounded-small bg-page px-3 py-2 text-body break-words whitespace-pre-line">
          {booking.message}
        </p>
      )}
      <ContactButtons
        name={ride.driver.name}
        phone={ride.phone}
        email={ride.email}
        // Before I join, the two of us talk in a thread of our own, which has the booking's id.
        roomId={openAskStates.includes(booking.state) ? booking.id : ride.roomId}
        prefers={ride.contactWith}
      />
      <BookingLinks booking={booking} ride={ride} isOver={over} linked={linked} />
      {booking.may.includes('acceptInvitation') && !isAnsweredBelow && (
        <InvitationAnswer
          bookingId={booking.id}
          holdCents={booking.fareCents}
          departsAt={booking.pickup.at}
        />
      )}
    </Card>
  );
}

/** The driver, the car, and the state of my place in it. */
function BookingHead({ booking, ride }: { booking: Booking; ride: Ride }) {
  const vehicleWords = useVehicleWords();
  return (
    <div className={headOf(booking.state)}>
      <div className="min-w-0 flex-1">
        <PersonLine
          person={ride.driver}
          detail={
            ride.vehicle && (
              <>
                <span>{vehicleWords(ride.vehicle)}</span>
                <span className="figures font-semibold whitespace-nowrap text-ink">{ride.vehicle.plate}</span>
              </>
            )
          }
        />
      </div>
      <StateChip label={booking.state} />
    </div>
  );
}

/** Where I get in and out, and what I pay at most. */
function BookingTerms({ booking, ride }: { booking: Booking; ride: Ride }) {
  const { t } = useTranslation('rides');
  const holdWords = useHoldWords();
  return (
    <>
      <PlacesLines
        from={booking.pickup}
        to={booking.dropoff}
        fromAt={booking.pickup.at}
        toAt={booking.dropoff.at}
        timeZone={ride.timeZone}
      />
      <PriceLines
        lines={[
          {
            label:
              booking.fareCents === 0
                ? t('price.title')
                : t(`price.line.${shareIs(booking, ride.priceKind)}`, { count: booking.seats }),
            cents: shareOf(booking),
            ...leastOf(booking),
            total: true,
          },
        ]}
        note={
          // Once there is a payment, it shows its own state.
          [
            ...(booking.payment === null
              ? [holdWords(booking.fareCents, ride.departsAt, ride.timeZone)]
              : []),
            ...(booking.leastCents < booking.fareCents ? [t('price.fallsWithMore')] : []),
          ].join(' ')
        }
      />
    </>
  );
}

/** The way to the map and to the ride, and my no. */
function BookingLinks({
  booking,
  ride,
  isOver,
  linked,
}: {
  booking: Booking;
  ride: Ride;
  isOver: boolean;
  linked: boolean;
}) {
  const { t } = useTranslation('rides');
  const link =
    'inline-flex min-h-11 items-center gap-1.5 font-semibold text-brand-ink underline-offset-4 hover:underline';
  return (
    <div className="flex flex-wrap items-center gap-x-4">
      {!isOver && (
        <Link
          to="/pages/order/matchmap"
          search={{ rideId: ride.id, requestId: booking.requestId }}
          className={link}
        >
          <MapIcon aria-hidden className="size-5" />
          {t('ask.map')}
        </Link>
      )}
      {linked && (
        <Link to="/pages/order/detail" search={{ id: ride.id }} className={link}>
          {t('detail.openRide')}
        </Link>
      )}
      <SayNo booking={booking} />
      {booking.expiresAt !== null && booking.awaits !== 'payment' && <ExpiresIn at={booking.expiresAt} />}
    </div>
  );
}

/** Gives up a seat that is still to be paid, or takes back an ask; both are free. */
function SayNo({ booking }: { booking: Booking }) {
  const { t } = useTranslation('rides');
  const givingUp = useRideAction(reject, () => toast.done(t('ask.gaveUp')));
  const withdrawing = useRideAction(withdraw, () => toast.done(t('ask.withdrawn')));
  if (booking.awaits === 'payment' && booking.may.includes('declineInvitation')) {
    return (
      <TextButton
        tone="danger"
        disabled={givingUp.busy}
        onClick={() => givingUp.run({ bookingId: booking.id })}
      >
        {t('ask.giveUp')}
      </TextButton>
    );
  }
  if (!booking.may.includes('withdraw')) return null;
  return (
    <TextButton
      tone="danger"
      disabled={withdrawing.busy}
      onClick={() => withdrawing.run({ bookingId: booking.id })}
    >
      {t('ask.withdraw')}
    </TextButton>
  );
}
