import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { nextOrder } from '#contract/rides/endpoints.ts';
import { invitedStates } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import { useCall } from '../../../core/queries.ts';
import { PartView } from '../../../core/query-view.tsx';
import { useSession } from '../../../core/session.ts';
import { useFormat } from '../../../core/use-format.ts';
import { StateChip } from '../../../domain/ride/state-chip.tsx';

/**
 * My next ride or request of a role, in short, with the one thing to do about it. Nothing where there is
 * none.
 */
export function NextOrderCard({ side }: { side: 'driver' | 'passenger' }) {
  const { t } = useTranslation('planning');
  const { signedIn, user } = useSession();
  const next = useCall(nextOrder, { role: side }, { enabled: signedIn && !user.profileMissing, quiet: true });
  return (
    <PartView query={next} failed={t('next.failed')}>
      {({ order }) => order && <NextOrder order={order} />}
    </PartView>
  );
}

function NextOrder({ order }: { order: Order }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const at = order.role === 'driver' ? order.departsAt : pickupOf(order);
  const { to, words } = nextAction(order);
  return (
    <Link
      to={to}
      search={{ id: idOf(order, to) }}
      className="flex flex-col gap-1 rounded-control bg-page p-3 ring-1 ring-line ring-inset transition-colors duration-150 hover:bg-line"
    >
      <span className="figures text-lead font-semibold">{format.when(at, order.timeZone)}</span>
      <span className="truncate text-body text-ink-2">
        {order.from.name} → {order.to.name}
      </span>
      <span className="flex flex-wrap items-center justify-between gap-2 pt-1">
        <span className="flex items-center gap-1 font-semibold text-brand-ink">
          {t(words, { count: asksOf(order) })}
          <ArrowRight aria-hidden className="size-5" />
        </span>
        <StateChip label={order.label} />
      </span>
    </Link>
  );
}

function pickupOf(order: Extract<Order, { role: 'passenger' }>): string {
  const joined = order.ride?.bookings.find(({ requestId }) => requestId === order.id);
  return order.stage === 'Joined' || order.stage === 'In Progress'
    ? (joined?.pickup.at ?? order.earliestAt)
    : order.earliestAt;
}

const asksOf = (order: Order) =>
  order.bookings.filter(({ state }) =>
    order.role === 'driver' ? state === 'requesting' : invitedStates.includes(state),
  ).length;

/** A ride under way is opened by the ride's own id, also by its passenger. */
const idOf = (order: Order, to: string) =>
  to === '/pages/order/ride' && order.role === 'passenger' ? (order.ride?.id ?? order.id) : order.id;

function nextAction(order: Order) {
  const driver = order.role === 'driver';
  if (order.stage === 'In Progress') {
    return { to: '/pages/order/ride', words: driver ? 'next.drive' : 'next.follow' } as const;
  }
  if (!driver && order.bookings.some(({ awaits }) => awaits === 'payment'))
    return { to: '/pages/order/detail', words: 'next.pay' } as const;
  if (asksOf(order) > 0)
    return { to: '/pages/order/detail', words: driver ? 'next.asks' : 'next.invitations' } as const;
  if (order.stage === 'Matching') {
    return { to: '/pages/order/match', words: driver ? 'next.findPassengers' : 'next.findRides' } as const;
  }
  return { to: '/pages/order/detail', words: driver ? 'next.ride' : 'next.request' } as const;
}
