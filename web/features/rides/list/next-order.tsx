import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { NextAction, OrderSummary } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { StateChip } from '../../../domain/ride/state-chip.tsx';

/** An order in short: when, where, and the one thing to do about it. */
export function NextOrder({ order }: { order: OrderSummary }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const { to, words } = pageOf(order);
  return (
    <Link
      to={to}
      search={{ id: to === '/pages/order/ride' ? (order.rideId ?? order.id) : order.id }}
      className="flex flex-col gap-1 rounded-control bg-page p-3 ring-1 ring-line ring-inset transition-colors duration-150 hover:bg-line"
    >
      <span className="figures text-lead font-semibold">{format.when(order.startsAt, order.timeZone)}</span>
      <span className="truncate text-body text-ink-2">
        {order.from.name} → {order.to.name}
      </span>
      <span className="flex flex-wrap items-center justify-between gap-2 pt-1">
        <span className="flex items-center gap-1 font-semibold text-brand-ink">
          {t(words, { count: order.nextAction?.count ?? 1, name: order.nextAction?.name ?? '' })}
          <ArrowRight aria-hidden className="size-5" />
        </span>
        <StateChip label={order.label} />
      </span>
    </Link>
  );
}

const dayOfRide = { to: '/pages/order/ride', words: 'next.drive' } as const;

/** Where each next action is done, and what the link there says. */
const pages = {
  answerRequest: { to: '/pages/order/detail', words: 'next.asks' },
  findRiders: { to: '/pages/order/match', words: 'next.findPassengers' },
  reachStart: dayOfRide,
  board: dayOfRide,
  depart: dayOfRide,
  reachPickup: dayOfRide,
  passStop: dayOfRide,
  dropOff: dayOfRide,
  arrive: dayOfRide,
  pay: { to: '/pages/order/detail', words: 'next.pay' },
  awaitPayment: { to: '/pages/order/detail', words: 'next.pay' },
  acceptInvitation: { to: '/pages/order/detail', words: 'next.invitations' },
  answerChange: { to: '/pages/order/detail', words: 'next.change' },
  followRide: { to: '/pages/order/ride', words: 'next.follow' },
  findRides: { to: '/pages/order/match', words: 'next.findRides' },
  findMoreRides: { to: '/pages/order/match', words: 'next.findRides' },
  review: { to: '/pages/order/detail', words: 'next.review' },
  sayTookPlace: { to: '/pages/order/detail', words: 'next.tookPlace' },
} as const satisfies Partial<Record<NextAction['kind'], { to: string; words: string }>>;

function pageOf({ role, nextAction }: OrderSummary) {
  const kind = nextAction?.kind;
  if (kind !== undefined && kind in pages) return pages[kind as keyof typeof pages];
  return { to: '/pages/order/detail', words: role === 'driver' ? 'next.ride' : 'next.request' } as const;
}
