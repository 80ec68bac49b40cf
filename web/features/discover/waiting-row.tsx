import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { discover } from '#contract/rides/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { useFormat } from '../../core/use-format.ts';
import { useAmount } from '../../domain/money/price-lines.tsx';
import { Avatar } from '../../ui/people.tsx';
import { rowVariants } from '../../ui/surfaces.tsx';

type Nearby = OutputOf<typeof discover>['orders'][number];
/** A request that is looking for a ride. */
export type Waiting = Extract<Nearby, { role: 'passenger' }>;

/** What a driver sees of it in a list. */
export function WaitingRow({ request }: { request: Waiting }) {
  const { t } = useTranslation(['planning', 'common']);
  const format = useFormat();
  const amount = useAmount();
  const name = request.passenger.name || t('common:guest');
  return (
    <Link to="/pages/order/detail" search={{ id: request.id }} className={rowVariants}>
      <Avatar name={name} src={request.passenger.avatar} seed={request.passenger.id} size={40} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-body font-semibold">
          {request.from.name} → {request.to.name}
        </span>
        <span className="figures block text-small text-ink-2">
          {format.when(request.earliestAt, request.timeZone, request.latestAt)}
        </span>
        <span className="figures block truncate text-small text-ink-3">
          {[
            name,
            t('planning:waiting.seats', { count: request.seats }),
            ...(request.offerCents === null ? [] : [amount(request.offerCents)]),
          ].join(' · ')}
        </span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
    </Link>
  );
}
