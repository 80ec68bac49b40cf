import { Link } from '@tanstack/react-router';
import { CalendarCheck, Hourglass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { openOrderStates } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** No match yet: waiting is fine, because an order that fits later shows up here by itself. */
export function NoMatches({ order }: { order: Order }) {
  const { t } = useTranslation('planning');
  if (order.role === 'passenger') {
    return (
      <EmptyState
        icon={<Hourglass />}
        title={t('match.noRides')}
        text={t('match.noRidesText')}
        action={<ToOrder order={order} />}
      />
    );
  }
  const aboard = order.passengers.length;
  return (
    <EmptyState
      icon={<Hourglass />}
      title={t(aboard === 0 ? 'match.noRequests' : 'match.noMoreRequests')}
      text={aboard === 0 ? t('match.noRequestsText') : t('match.noMoreRequestsText', { count: aboard })}
      action={<ToOrder order={order} />}
    />
  );
}

/** Whether an order is still open for other people. */
export const isLooking = (order: Order): boolean => openOrderStates.includes(order.state);

/** An order that is no longer open for others: agreed, under way or over. */
export function NotLooking({ order }: { order: Order }) {
  const { t } = useTranslation('planning');
  const agreed = order.role === 'passenger' && order.state === 'joined';
  return (
    <EmptyState
      icon={<CalendarCheck />}
      title={t(agreed ? 'match.agreedTitle' : 'match.closedTitle')}
      text={t(agreed ? 'match.agreedText' : 'match.closedText')}
      action={<ToOrder order={order} />}
    />
  );
}

function ToOrder({ order }: { order: Order }) {
  const { t } = useTranslation('planning');
  return (
    <Link to="/pages/order/detail" search={{ id: order.id }} className={buttonVariants({ small: true })}>
      {t(order.role === 'driver' ? 'match.toRide' : 'match.toRequest')}
    </Link>
  );
}
