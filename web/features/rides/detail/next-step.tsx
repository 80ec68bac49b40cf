import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { accept } from '#contract/rides/endpoints.ts';
import {
  dayStates,
  invitedStates,
  joinableRideStates,
  lostStates,
  openRequestStates,
} from '#contract/rides/moves.ts';
import type { Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import { useHoldsAtOnce } from '../../../domain/money/money-terms.ts';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useAmount } from '../../../domain/money/price-lines.tsx';
import { seatedBooking } from '#contract/rides/next-action.ts';
import { shortName } from '../../../domain/person/short-name.ts';
import { WaitForSeat } from '../booking/waitlist.tsx';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';

/**
 * Fills in the plan of the page that a link opens with this order's way, and its time unless that is over.
 */
export type Prefill = (role: 'driver' | 'passenger', order: Order, withTime: boolean) => void;

/** What a passenger does next about the payment of a booking. */
export type Pay = (booking: Booking, timeZone: string) => ReactNode;

/**
 * The one thing to do next with an order, from what I may do with it and its bookings; null when there is
 * nothing.
 */
export function nextStep(order: Order, prefill: Prefill, pay: Pay): ReactNode {
  return order.role === 'driver' ? nextOfRide(order, prefill, pay) : nextOfRequest(order, prefill, pay);
}

const full = buttonVariants({ full: true });
const quiet = buttonVariants({ full: true, tone: 'quiet' });

function nextOfRide(ride: Ride, prefill: Prefill, pay: Pay): ReactNode {
  if (!ride.mine) return nextAsPassenger(ride, prefill, pay);
  const due = ride.bookings.find(({ reviewDue }) => reviewDue);
  if (due) return <ReviewLink booking={due} name={shortName(due.passenger.name)} />;
  if (ride.stage === 'In Progress') return <GoToRide rideId={ride.id} />;
  if (ride.stage === 'Completed') return null;
  // The answer to a person who asks stands with them, at the top of the page.
  if (ride.bookings.some(({ may }) => may.includes('accept'))) return null;
  return ride.state === 'matching' ? <FindLink id={ride.id} what="passengers" /> : null;
}

function nextAsPassenger(ride: Ride, prefill: Prefill, pay: Pay): ReactNode {
  const booking = ride.bookings.at(-1);
  const live =
    seatedBooking(ride.bookings) ?? ride.bookings.find(({ state }) => invitedStates.includes(state));
  if (live) return nextOfBooking(live, ride, pay);
  if (booking?.state === 'requesting') return null;
  const askRide = (
    <Link to="/pages/passenger/passenger" onClick={() => prefill('passenger', ride, true)} className={full}>
      <Words of="askRide" />
    </Link>
  );
  const open = joinableRideStates.includes(ride.state);
  if (open && ride.seatsFree > 0) return askRide;
  return open || ride.state === 'full' ? <WaitForSeat ride={ride} withoutRequest={askRide} /> : null;
}

function nextOfRequest(request: Request, prefill: Prefill, pay: Pay): ReactNode {
  if (!request.mine) {
    return openRequestStates.includes(request.state) && request.bookings.length === 0 ? (
      <Link to="/" onClick={() => prefill('driver', request, true)} className={full}>
        <Words of="offerRide" />
      </Link>
    ) : null;
  }
  const live =
    seatedBooking(request.bookings) ??
    request.bookings.find(({ awaits }) => awaits === 'payment') ??
    request.bookings.find(({ state }) => invitedStates.includes(state));
  if (live) return nextOfBooking(live, request.ride, pay);
  if (request.stage === 'Completed') {
    const isStranded = request.bookings.at(-1)?.broken != null;
    return (
      <Link
        to="/pages/passenger/passenger"
        onClick={() => prefill('passenger', request, false)}
        className={isStranded ? full : quiet}
      >
        <Words of={isStranded ? 'fromHere' : 'again'} />
      </Link>
    );
  }
  // A passenger who was let down has other rides before them already.
  const wasLetDown = request.bookings.some(({ state }) => lostStates.includes(state));
  return <FindLink id={request.id} what="rides" secondary={request.state === 'requesting' || wasLetDown} />;
}

/** Whether money is what comes next: for a seat that is kept, or after a card has failed later on. */
const isToPay = ({ awaits, payment, state }: Booking): boolean =>
  awaits === 'payment' || (payment?.need != null && !dayStates.includes(state));

function nextOfBooking(booking: Booking, ride: Ride | null, pay: Pay): ReactNode {
  if (isToPay(booking)) return pay(booking, ride?.timeZone ?? 'UTC');
  if (booking.may.includes('acceptInvitation')) return <AcceptInvitation booking={booking} />;
  if (booking.reviewDue) return <ReviewLink booking={booking} name={shortName(ride?.driver.name ?? '')} />;
  if (dayStates.includes(booking.state)) return <GoToRide rideId={booking.rideId} />;
  if (booking.state === 'joined' && ride?.roomId != null) {
    return (
      <Link to="/pages/chat/message" search={{ roomid: ride.roomId }} className={quiet}>
        <Words of="chat" name={shortName(ride.driver.name)} />
      </Link>
    );
  }
  return null;
}

function Words({
  of,
  name = '',
}: {
  of: 'askRide' | 'offerRide' | 'again' | 'fromHere' | 'chat';
  name?: string;
}) {
  const { t } = useTranslation('rides');
  return t(`next.${of}`, { name });
}

function GoToRide({ rideId }: { rideId: string }) {
  const { t } = useTranslation('rides');
  return (
    <Link
      to="/pages/order/ride"
      search={{ id: rideId }}
      className={buttonVariants({ full: true, tone: 'brand' })}
    >
      {t('next.goToRide')}
    </Link>
  );
}

function FindLink({
  id,
  what,
  secondary = false,
}: {
  id: string;
  what: 'passengers' | 'rides';
  secondary?: boolean;
}) {
  const { t } = useTranslation('rides');
  return (
    <Link to="/pages/order/match" search={{ id }} className={secondary ? quiet : full}>
      {t(secondary ? 'next.findMore' : `next.find.${what}`)}
    </Link>
  );
}

function ReviewLink({ booking, name }: { booking: Booking; name: string }) {
  const { t } = useTranslation('rides');
  return (
    <Link to="/pages/order/review" search={{ bookingId: booking.id, id: booking.rideId }} className={full}>
      {t('next.review', { name })}
    </Link>
  );
}

function AcceptInvitation({ booking }: { booking: Booking }) {
  const { t } = useTranslation('rides');
  const amount = useAmount();
  const holdsAtOnce = useHoldsAtOnce();
  const action = useRideAction(accept, ({ booking: accepted }) =>
    accepted.awaits === 'payment' ? toast.info(t('ask.toPay')) : toast.done(t('ask.joined')),
  );
  return (
    <Button full busy={action.busy} onClick={() => action.run({ bookingId: booking.id })}>
      {booking.fareCents > 0
        ? t(holdsAtOnce(booking.pickup.at) ? 'next.accept' : 'next.acceptLater', {
            amount: amount(booking.fareCents),
          })
        : t(booking.state === 'inviting' ? 'next.acceptFree' : 'next.takeSeat')}
    </Button>
  );
}
