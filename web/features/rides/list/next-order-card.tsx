import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { nextOrder } from '#contract/rides/endpoints.ts';
import { lazyPart } from '../../../core/lazy-part.ts';
import { useCall } from '../../../core/queries.ts';
import { PartView } from '../../../core/query-view.tsx';
import { useSession } from '../../../core/use-session.ts';

// Guests have none: the home page comes without it.
const NextOrder = lazyPart(async () => (await import('./next-order.tsx')).NextOrder, ['planning', 'rides']);

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
      {({ order }) =>
        order && (
          <Suspense fallback={<div aria-hidden className="h-27 rounded-control bg-page" />}>
            <NextOrder order={order} />
          </Suspense>
        )
      }
    </PartView>
  );
}
