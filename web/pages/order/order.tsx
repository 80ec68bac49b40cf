import { Link, useNavigate } from '@tanstack/react-router';
import { Route as RouteIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listOrders } from '#contract/rides/endpoints.ts';
import { stages, type Stage } from '#contract/rides/moves.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import type { PageSearch } from '../../core/page-search.ts';
import { useCall, usePaginatedCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { CardLink } from '../../domain/ride/ride-card.tsx';
import { OrderCard } from '../../features/rides/list/order-card.tsx';
import { RecurringCards } from '../../features/rides/recurring/recurring-cards.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';
import { Tabs } from '../../ui/tabs.tsx';

/** What a person most likely looks for: what runs now, then what waits for an answer, then what is agreed. */
const byUrgency: readonly Stage[] = ['In Progress', 'Requesting', 'Joined', 'Matching', 'Completed'];

/** Rides: my orders by stage and role. */
export function Page() {
  const { t } = useTranslation(['rides', 'common']);
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
          label={t('rides:list.role')}
          options={[
            { value: 'all', label: t('rides:list.all') },
            { value: 'driver', label: t('rides:list.driver') },
            { value: 'passenger', label: t('rides:list.passenger') },
          ]}
          value={role ?? 'all'}
          onChange={(next) => show({ role: next === 'all' ? undefined : next })}
        />
      }
    >
      <RecurringCards role={role} />
      <Tabs
        label={t('rides:stage.label')}
        tabs={stages.map((each) => ({
          value: each,
          label: t(`rides:stage.${each}`),
          ...(counts ? { count: counts[each] ?? 0 } : {}),
        }))}
        value={stage}
        onChange={(next) => show({ stage: next })}
      >
        <QueryView query={overview} failed={t('rides:list.failed')} skeleton={{ kind: 'cards' }}>
          {() => <StageList key={`${stage} ${role}`} stage={stage} ofRole={ofRole} />}
        </QueryView>
      </Tabs>
    </PageLayout>
  );
}

function StageList({ stage, ofRole }: { stage: Stage; ofRole: { role?: 'driver' | 'passenger' } }) {
  const { t } = useTranslation(['rides', 'common']);
  const list = usePaginatedCall(
    listOrders,
    { stage, ...ofRole },
    { items: (answer) => answer.orders, total: (answer) => answer.total },
  );
  if (list.isPending) return <Skeleton label={t('common:loading')} kind="cards" />;
  if (list.error) {
    return (
      <ErrorState
        title={t('rides:list.failed')}
        text={errorWords(list.error)}
        retryLabel={t('common:retry')}
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (list.items.length === 0) {
    return (
      <EmptyState
        icon={<RouteIcon />}
        title={t(`rides:list.empty.${stage}.title`)}
        text={t(`rides:list.empty.${stage}.text`)}
        action={
          ofRole.role === 'passenger' ? (
            <Link to="/pages/passenger/passenger" className={buttonVariants({ small: true })}>
              {t('rides:list.findRide')}
            </Link>
          ) : (
            <Link to="/" className={buttonVariants({ small: true })}>
              {t('rides:list.offerRide')}
            </Link>
          )
        }
      />
    );
  }
  return (
    <>
      <ul aria-label={t(`rides:stage.${stage}`)} className="flex flex-col gap-3">
        {list.items.map((order) => (
          <li key={order.id}>
            <CardLink id={order.id}>
              <OrderCard order={order} />
            </CardLink>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Button tone="quiet" full className="mt-3" busy={list.loadingMore} onClick={list.more}>
          {t('common:loadMore')}
        </Button>
      )}
    </>
  );
}
