import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { orderDetail, proposeChange } from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { noteLength } from '#contract/units.ts';
import { fieldWords } from '../../core/errors.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { invalidate } from '../../core/query-client.ts';
import { instantOf, localOf } from '../../core/zoned-time.ts';
import { dropProposal, useProposal, type Proposal } from '../../features/planning/draft.ts';
import { EditedRoute } from '../../features/planning/edited-route.tsx';
import { useAdvice } from '../../features/planning/price-fields.tsx';
import { startProposing } from '../../features/planning/proposal.ts';
import { problemsOf, type PlanField } from '../../features/planning/publish.ts';
import { useProblems, routeProblem } from '../../features/planning/use-problems.ts';
import { usePlannedRoute, type Quote } from '../../features/planning/use-planned-route.ts';
import { ViaFields } from '../../features/planning/via-fields.tsx';
import { WhenField } from '../../features/planning/when-field.tsx';
import { OrderPending } from '../../features/rides/detail/order-pending.tsx';
import { mayPropose } from '../../features/rides/change/propose-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { MoneyField, TextArea } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useChooseOwnPlace } from '../address/use-choose-place.ts';

/** Asks those on board of my ride for another time, price or way. */
export function ProposeChange({ id }: { id: string }) {
  const { t } = useTranslation(['rides', 'planning']);
  const detail = useCall(orderDetail, { id }, { quiet: true });
  const order = detail.data?.order;
  const ride = order?.role === 'driver' ? order : undefined;
  const [{ of }] = useProposal();
  // Opened by its address, or after another ride's.
  useEffect(() => {
    if (ride !== undefined && of !== ride.id) startProposing(ride);
  }, [ride, of]);

  if (ride !== undefined && mayPropose(ride)) return of === ride.id ? <Form ride={ride} /> : null;
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

/** What is proposed for a ride, its way, and sending it. */
function useProposalForm(ride: Ride) {
  const { t } = useTranslation('rides');
  const navigate = useNavigate();
  const [proposal, write] = useProposal();
  const { problems, show, forget } = useProblems();
  const { from, to, via, local, costCents, note } = proposal;
  const route = usePlannedRoute(from, to, { via, local });
  const change = (part: Partial<Proposal>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = route.zone ?? ride.timeZone;
  // An untouched time stays to the second.
  const at = local === localOf(ride.departsAt, ride.timeZone) ? ride.departsAt : instantOf(local, zone);
  const proposing = useAction(proposeChange, {
    invalidates: ['/order/'],
    onDone: () => {
      toast.done(t('change.proposed'));
      void navigate({ to: '/pages/order/detail', search: { id: ride.id }, replace: true }).then(dropProposal);
    },
    onRefused: (refused) => {
      if (refused.code === 409) void invalidate('/order/');
      return refused.code === 422 && show(problemsOf(refused));
    },
  });
  const submit = () => {
    if (route.refusal !== null) show({ [route.refusal.field]: route.refusal.words });
    else if (at === null) show({ local: fieldWords('Please select a date and time.') });
    else if (from !== null && to !== null)
      proposing.run({ id: ride.id, departsAt: at, costCents, note, way: { from, via, to } });
  };
  return { proposal, change, problems, route, zone, busy: proposing.busy, submit };
}

function Form({ ride }: { ride: Ride }) {
  const { t } = useTranslation(['rides', 'common']);
  const choose = useChooseOwnPlace('proposal');
  const { proposal, change, problems, route, zone, busy, submit } = useProposalForm(ride);
  const { from, to, via, local, costCents, note } = proposal;
  return (
    <PageLayout
      title={t('rides:change.propose')}
      back
      action={
        <Button full busy={busy} onClick={submit}>
          {t('rides:change.send')}
        </Button>
      }
    >
      <p className="text-body text-ink-2">{t('rides:change.proposeText')}</p>
      <Card className="flex flex-col gap-3">
        <EditedRoute
          draft={proposal}
          route={route}
          problems={problems}
          onChoose={choose}
          onSwap={() => change({ from: to, to: from, via: via.toReversed() }, 'from', 'to', 'via')}
        >
          <ViaFields
            via={via}
            error={routeProblem('via', problems, route)}
            onChoose={(index) => choose(`via${index}`)}
            onChange={(stops) => change({ via: stops }, 'via')}
          />
        </EditedRoute>
        <p className="text-small text-ink-2">{t('rides:change.wayHint')}</p>
      </Card>
      <Card className="flex flex-col gap-4">
        <div id="field-local">
          <WhenField
            label={t('rides:change.time')}
            local={local}
            zone={zone}
            error={problems.local}
            onChange={(value) => change({ local: value }, 'local')}
          />
        </div>
        {(ride.costCents > 0 || ride.vehicle !== null) && (
          <PriceField
            kind={ride.priceKind}
            cents={costCents}
            quote={route.quote}
            error={problems.costCents}
            onChange={(cents) => change({ costCents: cents }, 'costCents')}
          />
        )}
        <Field label={t('rides:change.note')} note={t('common:optional')}>
          <TextArea
            rows={2}
            maxLength={noteLength}
            value={note}
            onChange={(event) => change({ note: event.target.value })}
          />
        </Field>
      </Card>
    </PageLayout>
  );
}

/** What a seat or the car is to cost, with what is advised for the new way. */
function PriceField({
  kind,
  cents,
  quote,
  error,
  onChange,
}: {
  kind: Ride['priceKind'];
  cents: number;
  quote: Quote | null;
  error: string | undefined;
  onChange: (cents: number) => void;
}) {
  const { t } = useTranslation('rides');
  const advice = useAdvice(quote);
  return (
    <div id="field-costCents">
      <Field
        label={t(kind === 'perCar' ? 'price.perCarLine' : 'price.perPersonLine')}
        hint={
          <>
            {advice !== '' && <span className="block text-ink-2">{advice}</span>}
            <span className="block">{t('change.priceHint')}</span>
          </>
        }
        error={error}
      >
        <MoneyField cents={cents} onChange={(value) => onChange(value ?? 0)} />
      </Field>
    </div>
  );
}
