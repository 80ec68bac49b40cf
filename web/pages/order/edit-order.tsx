import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { orderDetail, updateOrder } from '#contract/rides/endpoints.ts';
import type { Order } from '#contract/rides/views.ts';
import { useAction, useCall } from '../../core/queries.ts';
import {
  editedStores,
  keptOr,
  planOfOrder,
  withRequestTerms,
  withRideTerms,
} from '../../features/planning/edited-draft.ts';
import { planKinds } from '../../features/planning/plan-kinds.ts';
import { PlanParts } from '../../features/planning/plan-parts.tsx';
import type { RequestInput, RideInput } from '../../features/planning/order-input.ts';
import { problemsOf } from '../../features/planning/publish.ts';
import { usePlan } from '../../features/planning/use-plan.ts';
import { OrderPending } from '../../features/rides/detail/order-pending.tsx';
import { Button } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PlanPlaceDialog, useChoosePlace } from '../address/place-dialog.tsx';

/** "Plan your ride" over an existing order: the same form, filled in with it. */
export function EditOrder({ id }: { id: string }) {
  const { t } = useTranslation('planning');
  const detail = useCall(orderDetail, { id }, { quiet: true });
  const order = detail.data?.order;
  if (order !== undefined && order.edit !== 'none') return <EditForm key={order.id} order={order} />;
  return (
    <PageLayout title={t('edit.title')} back>
      {order !== undefined ? (
        <EmptyState icon={<SearchX />} title={t('edit.closedTitle')} text={t('edit.closedText')} />
      ) : (
        <OrderPending id={id} detail={detail} />
      )}
    </PageLayout>
  );
}

const kinds = {
  driver: { all: planKinds.editedRide, details: planKinds.agreedRide },
  passenger: { all: planKinds.editedRequest, details: planKinds.agreedRequest },
} as const;

function EditForm({ order }: { order: Order }) {
  const { t } = useTranslation('planning');
  const navigate = useNavigate();
  const { all, details } = kinds[order.role];
  const draft = editedStores[order.role];
  const plan = usePlan(order.edit === 'details' ? details : all, {
    draft,
    start: keptOr(draft, () => planOfOrder(order)),
    order,
    timeZone: order.timeZone,
    choose: useChoosePlace(),
  });
  const save = useAction(updateOrder, {
    invalidates: ['/order/', '/event/', '/alert/'],
    onDone: ({ order: { id } }) => {
      toast.done(t('edit.saved'));
      void navigate({ to: '/pages/order/detail', search: { id }, replace: true }).then(draft.drop);
    },
    onRefused: (refused) => plan.show(problemsOf(refused)),
  });
  return (
    <PageLayout
      title={t(order.role === 'driver' ? 'edit.title' : 'edit.requestTitle')}
      back
      action={
        <Button
          full
          busy={save.busy}
          disabled={plan.own.isLoading}
          onClick={() =>
            plan.submit(() => save.run({ id: order.id, order: withStandingTerms(plan.input, order) }))
          }
        >
          {t('edit.save')}
        </Button>
      }
    >
      <Consequences order={order} />
      <PlanParts plan={plan} />
      <PlanPlaceDialog plan={plan.values} change={plan.change} />
    </PageLayout>
  );
}

/** What was entered; terms that are agreed stay as they are. */
function withStandingTerms(input: RideInput | RequestInput, order: Order): RideInput | RequestInput {
  if (order.edit !== 'details') return input;
  if (input.role === 'driver' && order.role === 'driver') return withRideTerms(input, order);
  if (input.role === 'passenger' && order.role === 'passenger') return withRequestTerms(input, order);
  return input;
}

/** What closes when time, address or cost change, or why they cannot. */
function Consequences({ order }: { order: Order }) {
  const { t } = useTranslation(['planning', 'reasons']);
  if (order.edit === 'details') return <Banner kind="info">{t('reasons:order.matched')}</Banner>;
  const open = order.bookings.filter(({ expiresAt }) => expiresAt !== null).length;
  return open === 0 ? null : <Banner kind="warn">{t('planning:edit.asksClose', { count: open })}</Banner>;
}
