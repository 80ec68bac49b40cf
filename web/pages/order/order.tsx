import { Link, useNavigate } from '@tanstack/react-router';
import { Route as RouteIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listOrders } from '#contract/rides/endpoints.ts';
import { stages, type Stage } from '#contract/rides/moves.ts';
import { LoadMore } from '../../core/paginated-list.tsx';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import type { PageSearch } from '../../core/page-search.ts';
import { useCall, usePaginatedCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { CardLink } from '../../domain/ride/ride-card.tsx';
import { OrderCard } from '../../features/rides/list/order-card.tsx';
import { RecurringCards } from '../../features/rides/recurring/recurring-cards.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { Tabs } from '../../ui/tabs.tsx';

/**
 * In the order in which a person most likely needs them: what runs now, then what waits for an answer, then
 * what is agreed.
 */
const byUrgency: readonly Stage[] = ['In Progress', 'Requesting', 'Joined', 'Matching', 'Completed'];

/** Rides: my orders by stage and role. */
export function Page() {
  const { t } = useTranslation('rides');
  const title = usePageTitle();
  const navigate = useNavigate();
  const { role, stage: asked } = usePageSearch('/pages/order/order');
  const ofRole = role === undefined ? {} : { role };
  // The counts of all stages come with every answer; this one stays while the tabs change.
  const overview = useCall(listOrders, ofRole, { keepPrevious: true, quiet: true });
  const counts = overview.data?.counts;
  const stage = asked ?? byUrgency.find((each) => (counts?.[each] ?? 0) > 0) ?? 'Matching';
  const show = (next: PageSearch<'/pages/order/order'>) =>
    void navigate({
      to: '/pages/order/order',
      search: { stage: asked, role, ...next },
      replace: true,
    });

  return (
    <PageLayout
      title={title}
      back
      header={
        <SegmentedControl
          label={t('list.role')}
          options={[
            { value: 'all', label: t('list.all') },
            { value: 'driver', label: t('list.driver') },
            { value: 'passenger', label: t('list.passenger') },
          ]}
          value={role ?? 'all'}
          onChange={(next) => show({ role: next === 'all' ? undefined : next })}
        />
      }
    >
      <RecurringCards role={role} />
      <Tabs
        label={t('stage.label')}
        tabs={stages.map((each) => ({
          value: each,
          label: t(`stage.${each}`),
          ...(counts ? { count: counts[each] ?? 0 } : {}),
        }))}
        value={stage}
        onChange={(next) => show({ stage: next })}
      >
        <QueryView query={overview} failed={t('list.failed')} skeleton={{ kind: 'cards' }}>
          {() => <StageList key={`${stage} ${role}`} stage={stage} ofRole={ofRole} />}
        </QueryView>
      </Tabs>
    </PageLayout>
  );
}

function StageList({ stage, ofRole }: { stage: Stage; ofRole: { role?: 'driver' | 'passenger' } }) {
  const { t } = useTranslation('rides');
  const list = usePaginatedCall(
    listOrders,
    { stage, ...ofRole },
    { items: (answer) => answer.orders, total: (answer) => answer.total },
  );
  return (
    <QueryView
      query={list}
      failed={t('list.failed')}
      skeleton={{ kind: 'cards' }}
      empty={<NoOrders stage={stage} role={ofRole.role} />}
      isEmpty={({ items }) => items.length === 0}
    >
      {({ items }) => (
        <div className="flex flex-col gap-3">
          <ul aria-label={t(`stage.${stage}`)} className="flex flex-col gap-3">
            {items.map((order) => (
              <li key={order.id}>
                <CardLink id={order.id}>
                  <OrderCard order={order} />
                </CardLink>
              </li>
            ))}
          </ul>
          <LoadMore pages={list} />
        </div>
      )}
    </QueryView>
  );
}

function NoOrders({ stage, role }: { stage: Stage; role: 'driver' | 'passenger' | undefined }) {
  const { t } = useTranslation('rides');
  return (
    <EmptyState
      icon={<RouteIcon />}
      title={t(`list.empty.${stage}.title`)}
      text={t(`list.empty.${stage}.text`)}
      action={
        role === 'passenger' ? (
          <Link to="/pages/passenger/passenger" className={buttonVariants({ small: true })}>
            {t('list.findRide')}
          </Link>
        ) : (
          <Link to="/" className={buttonVariants({ small: true })}>
            {t('list.offerRide')}
          </Link>
        )
      }
    />
  );
}
