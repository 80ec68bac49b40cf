import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { orderDetail, proposeChange } from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { fieldWords } from '../../core/errors.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { invalidate } from '../../core/query-client.ts';
import { instantOf, localOf } from '../../core/zoned-time.ts';
import { proposalStore } from '../../features/planning/draft.ts';
import { keptOr, planOfProposal } from '../../features/planning/edited-draft.ts';
import { planKinds } from '../../features/planning/plan-kinds.ts';
import { PlanParts } from '../../features/planning/plan-parts.tsx';
import { problemsOf } from '../../features/planning/publish.ts';
import { usePlan } from '../../features/planning/use-plan.ts';
import { OrderPending } from '../../features/rides/detail/order-pending.tsx';
import { mayPropose } from '../../features/rides/change/propose-link.tsx';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PlanPlaceDialog, useChoosePlace } from '../address/place-dialog.tsx';

/** Asks those on board of my ride for another time, price or way. */
export function ProposeChange({ id }: { id: string }) {
  const { t } = useTranslation(['rides', 'planning']);
  const detail = useCall(orderDetail, { id }, { quiet: true });
  const order = detail.data?.order;
  if (order?.role === 'driver' && mayPropose(order)) return <Form key={order.id} ride={order} />;
  return (
    <PageLayout title={t('rides:change.propose')} back>
      {order !== undefined ? (
        <EmptyState
          icon={<SearchX />}
          title={t('planning:edit.closedTitle')}
          text={t('planning:edit.closedText')}
        />
      ) : (
        <OrderPending id={id} detail={detail} />
      )}
    </PageLayout>
  );
}

function Form({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const navigate = useNavigate();
  const plan = usePlan(planKinds.proposal, {
    draft: proposalStore,
    start: keptOr(proposalStore, () => planOfProposal(ride)),
    order: ride,
    timeZone: ride.timeZone,
    check: ({ local }) => (local.length < 16 ? { local: fieldWords('Please select a date and time.') } : {}),
    choose: useChoosePlace(),
  });
  const proposing = useAction(proposeChange, {
    invalidates: ['/order/'],
    onDone: () => {
      toast.done(t('change.proposed'));
      void navigate({ to: '/pages/order/detail', search: { id: ride.id }, replace: true }).then(
        proposalStore.drop,
      );
    },
    onRefused: (refused) => {
      if (refused.code === 409) void invalidate('/order/');
      return refused.code === 422 && plan.show(problemsOf(refused));
    },
  });
  const { from, via, to, local, costCents, note } = plan.values;
  const send = () => {
    // An untouched time stays to the second.
    const isSameTime = local === localOf(ride.departsAt, ride.timeZone);
    const departsAt = isSameTime ? ride.departsAt : instantOf(local, plan.zone);
    if (departsAt !== null && from !== null && to !== null)
      proposing.run({
        id: ride.id,
        departsAt,
        costCents: costCents ?? ride.costCents,
        note,
        way: { from, via, to },
      });
  };
  return (
    <PageLayout
      title={t('change.propose')}
      back
      action={
        <Button full busy={proposing.busy} onClick={() => plan.submit(send)}>
          {t('change.send')}
        </Button>
      }
    >
      <p className="text-body text-ink-2">{t('change.proposeText')}</p>
      <PlanParts plan={plan} />
      <PlanPlaceDialog plan={plan.values} change={plan.change} />
    </PageLayout>
  );
}
