import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Order } from '#contract/rides/views.ts';
import { useFormat } from '../../core/use-format.ts';

/** The order whose matches are shown, in two lines; opens its own page. */
export function OwnPlan({ order }: { order: Order }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const time =
    order.role === 'driver'
      ? format.when(order.departsAt, order.timeZone)
      : format.when(order.earliestAt, order.timeZone, order.latestAt);
  return (
    <Link
      to="/pages/order/detail"
      search={{ id: order.id }}
      className="flex items-center gap-3 rounded-control bg-ink px-4 py-3 text-white"
    >
      <span className="min-w-0 flex-1">
        <span className="block text-small text-white/80">
          {t(order.role === 'driver' ? 'match.yourRide' : 'match.yourRequest')} · {order.orderNumber}
        </span>
        <span className="figures block text-lead font-semibold">{time}</span>
        <span className="block truncate text-body">
          {order.from.name} → {order.to.name}
        </span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0" />
    </Link>
  );
}
