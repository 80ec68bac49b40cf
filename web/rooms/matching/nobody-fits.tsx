import { Link } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Order } from '#contract/rides/views.ts';
import { buttonLook } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** Nobody yet: waiting is fine, because whoever fits later shows up here by itself. */
export function NobodyFits({ order }: { order: Order }) {
  const { t } = useTranslation('planning');
  const driver = order.role === 'driver';
  return (
    <EmptyState
      icon={<Hourglass />}
      title={t(driver ? 'match.noRequests' : 'match.noRides')}
      text={t(driver ? 'match.noRequestsText' : 'match.noRidesText')}
      action={
        <Link to="/pages/order/detail" search={{ id: order.id }} className={buttonLook({ small: true })}>
          {t(driver ? 'match.toRide' : 'match.toRequest')}
        </Link>
      }
    />
  );
}
