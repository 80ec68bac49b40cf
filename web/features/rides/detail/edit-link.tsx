import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Order } from '#contract/rides/views.ts';
import { buttonVariants } from '../../../ui/button.tsx';

/** Opens my order for editing, while anything of it may be edited. */
export function EditLink({ order, onStart }: { order: Order; onStart: (order: Order) => void }) {
  const { t } = useTranslation('rides');
  if (order.edit === 'none') return null;
  return (
    <Link
      to="/pages/order/confirm"
      search={{ edit: order.id }}
      onClick={() => onStart(order)}
      className={buttonVariants({ tone: 'quiet', full: true })}
    >
      <Pencil aria-hidden className="size-5" />
      {t(order.role === 'driver' ? 'edit.ride' : 'edit.request')}
    </Link>
  );
}
