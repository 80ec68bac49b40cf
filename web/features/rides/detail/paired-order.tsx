import { Link } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Order } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { List, RowContent, rowVariants } from '../../../ui/surfaces.tsx';
import { StateChip } from '../../../domain/ride/state-chip.tsx';

const startOf = (order: Order): string => (order.role === 'driver' ? order.departsAt : order.earliestAt);

/** The way back of a ride or request, or the way there, that was planned with it. */
export function PairedOrder({ order, paired }: { order: Order; paired: Order }) {
  const { t } = useTranslation('recurring');
  const format = useFormat();
  const isBack = startOf(paired) > startOf(order);
  const until = paired.role === 'driver' ? undefined : paired.latestAt;
  return (
    <List label={t('paired.title')}>
      <li>
        <Link to="/pages/order/detail" search={{ id: paired.id }} className={rowVariants}>
          <RowContent
            leading={<ArrowLeftRight aria-hidden className="size-6 text-ink-2" />}
            title={t(isBack ? 'paired.back' : 'paired.there')}
            detail={`${format.when(startOf(paired), paired.timeZone, until)} · ${paired.from.name} → ${paired.to.name}`}
            trailing={<StateChip label={paired.label} />}
            chevron
          />
        </Link>
      </li>
    </List>
  );
}
