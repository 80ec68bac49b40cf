import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Booking, NextAction, Order } from '#contract/rides/views.ts';
import { shortName } from '../../../domain/person/short-name.ts';
import { buttonVariants } from '../../../ui/button.tsx';
import { AskAnswer } from '../../../domain/booking/ask-answer.tsx';
import { InvitationAnswer } from '../../../domain/booking/invitation-answer.tsx';
import { onlyAnswer } from '../booking/only-answer.ts';
import { WaitForSeat } from '../booking/waitlist.tsx';

/**
 * Fills in the plan of the page that a link opens with this order's way, and its time unless that is over.
 */
export type Prefill = (role: 'driver' | 'passenger', order: Order, withTime: boolean) => void;

/** What a passenger does next about the payment of a booking. */
export type Pay = (booking: Booking, timeZone: string) => ReactNode;

/** An order, and how its next action is done. */
interface Ways {
  order: Order;
  prefill: Prefill;
  pay: Pay;
}

/**
 * The button of the one thing that the viewer does next with an order, as the server says it; null where
 * there is nothing to do, or where the page shows it as a card at its top.
 */
export function nextStep(order: Order, prefill: Prefill, pay: Pay): ReactNode {
  const { nextAction: next } = order;
  if (next === null) return null;
  const ways = { order, prefill, pay };
  return nextOfBooking(next, ways) ?? nextOfPlan(next, ways);
}

const full = buttonVariants({ full: true });
const quiet = buttonVariants({ full: true, tone: 'quiet' });

/** What is next about one booking: an answer, money, the day of the ride, a review. */
function nextOfBooking(next: NextAction, { order, pay }: Ways): ReactNode {
  const booking = order.bookings.find(({ id }) => id === next.bookingId);
  if (booking === undefined) return null;
  const only = onlyAnswer(order);
  switch (next.kind) {
    case 'review':
      return <ReviewLink booking={booking} name={shortName(next.name)} />;
    case 'answerRequest':
      return only === null ? null : <AskAnswer bookingId={only.id} name={shortName(next.name)} full />;
    case 'acceptInvitation':
      return only === null ? null : (
        <InvitationAnswer bookingId={only.id} holdCents={only.fareCents} departsAt={only.pickup.at} full />
      );
    case 'pay':
    case 'awaitPayment':
      return pay(booking, order.timeZone);
    case 'followRide':
      return <GoToRide rideId={booking.rideId} />;
    case 'message':
      return <MessageLink order={order} name={shortName(next.name)} />;
    default:
      return null;
  }
}

/** What is next about a ride or a request as a whole. */
function nextOfPlan(next: NextAction, { order, prefill }: Ways): ReactNode {
  const askRide = (
    <Link to="/pages/passenger/passenger" onClick={() => prefill('passenger', order, true)} className={full}>
      <Words of="askRide" />
    </Link>
  );
  switch (next.kind) {
    case 'findRiders':
      return <FindLink id={order.id} what="passengers" />;
    case 'findRides':
      return <FindLink id={order.id} what="rides" />;
    case 'findMoreRides':
      return <FindLink id={order.id} what="rides" secondary />;
    case 'requestSeat':
      return askRide;
    case 'joinWaitlist':
      return order.role === 'driver' ? <WaitForSeat ride={order} withoutRequest={askRide} /> : null;
    case 'offerRide':
      return (
        <Link to="/" onClick={() => prefill('driver', order, true)} className={full}>
          <Words of="offerRide" />
        </Link>
      );
    case 'requestAgain':
    case 'continueFromHere':
      return (
        <Link
          to="/pages/passenger/passenger"
          onClick={() => prefill('passenger', order, false)}
          className={next.kind === 'requestAgain' ? quiet : full}
        >
          <Words of={next.kind === 'requestAgain' ? 'again' : 'fromHere'} />
        </Link>
      );
    default:
      return order.stage === 'In Progress' ? <GoToRide rideId={order.id} /> : null;
  }
}

function MessageLink({ order, name }: { order: Order; name: string }) {
  const roomId = order.role === 'driver' ? order.roomId : order.ride?.roomId;
  return roomId == null ? null : (
    <Link to="/pages/chat/message" search={{ roomid: roomId }} className={quiet}>
      <Words of="chat" name={name} />
    </Link>
  );
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
