import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePosition } from '../../map/position.ts';
import { passengerStore } from '../../features/planning/draft.ts';
import { OfferField } from '../../features/planning/offer-field.tsx';
import { SeatsField } from '../../features/planning/seats-field.tsx';
import { RouteFacts } from '../../features/planning/route-facts.tsx';
import { RouteFields } from '../../features/planning/route-fields.tsx';
import { WindowFields } from '../../features/planning/window-fields.tsx';
import { changedDraft } from '../../features/planning/changed-draft.ts';
import { NextOrderCard } from '../../features/rides/list/next-order-card.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import type { SheetSnap } from '../../ui/sheet.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useChoosePlace } from '../address/place-dialog.tsx';
import { QuickPlaces, UsualTrips } from '../carpool/home-shortcuts.tsx';
import { HomeScreen } from '../carpool/home-screen.tsx';
import { useHomePlan } from '../carpool/use-home-plan.ts';
import { RidesPreview } from './rides-preview.tsx';
import { useDraftMatches } from './use-draft-matches.ts';

type Plan = ReturnType<typeof usePassengerPlan>;

/** A passenger's plan, and the rides that fit it. */
function usePassengerPlan() {
  const plan = useHomePlan(passengerStore);
  return { ...plan, matches: useDraftMatches(plan.values, plan.route) };
}

export function Page() {
  const plan = usePassengerPlan();
  const position = usePosition();
  const [snap, setSnap] = useState<SheetSnap>('half');
  return (
    <HomeScreen
      side="passenger"
      plan={plan}
      position={position}
      action={<NextStep plan={plan} onShowAll={() => setSnap('full')} />}
      sheet={{ snap, onSnap: setSnap }}
    >
      <PlanParts plan={plan} />
    </HomeScreen>
  );
}

/** The plan in the sheet: its way, when, how many, what is offered, and what fits it. */
function PlanParts({ plan }: { plan: Plan }) {
  const { t } = useTranslation('planning');
  const { values, endErrors, change, show, route, matches } = plan;
  const { from, to } = values;
  // A plan being made comes first; what is planned already comes first while there is none.
  const planning = from !== null && to !== null;
  const choose = useChoosePlace();
  return (
    <div className="flex flex-col gap-4">
      <RouteFields
        from={from}
        to={to}
        errors={endErrors}
        onChoose={choose}
        onSwap={() => change({ from: to, to: from })}
      />
      <QuickPlaces from={from} to={to} onPick={(end, place) => change({ [end]: place })} />
      <RouteFacts route={route} />
      {!planning && <NextOrderCard side="passenger" />}
      {!planning && <UsualTrips side="passenger" onPick={change} />}
      <PlanFields plan={plan} />
      <RidesPreview
        matches={matches}
        onProblems={show}
        onChange={(made) => {
          change(changedDraft(values, made, route.zone));
          toast.done(t('almost.done'));
        }}
      />
      {planning && matches.found.total > 0 && (
        <div className="flex flex-col gap-2">
          <p className="text-body text-ink-2">{t('passenger.noneFits')}</p>
          <PostRequest tone="quiet" />
        </div>
      )}
      {planning && <NextOrderCard side="passenger" />}
    </div>
  );
}

/**
 * The one button at the bottom, once both ends are known: it leads down to the rides that fit, or to posting
 * a request where none does.
 */
function NextStep({ plan: { values, matches }, onShowAll }: { plan: Plan; onShowAll: () => void }) {
  const { t } = useTranslation('planning');
  if (values.from === null || values.to === null) return null;
  if (!matches.ready || matches.found.total === 0) return <PostRequest tone="brand" />;
  return (
    <Button
      full
      tone="brand"
      aria-live="polite"
      onClick={() => {
        onShowAll();
        const list = document.querySelector<HTMLElement>('#preview-count');
        list?.focus({ preventScroll: true });
        list?.scrollIntoView({ block: 'start' });
      }}
    >
      {t('passenger.see', { count: matches.found.total })}
    </Button>
  );
}

function PostRequest({ tone }: { tone: 'brand' | 'quiet' }) {
  const { t } = useTranslation('planning');
  return (
    <Link
      to="/pages/order/confirm"
      search={{ role: 'passenger' }}
      className={buttonVariants({ tone, full: true })}
    >
      {t('passenger.plan')}
    </Link>
  );
}

function PlanFields({ plan: { values, errorOf, set, change, route } }: { plan: Plan }) {
  const { t } = useTranslation('planning');
  return (
    <>
      <WindowFields draft={values} zone={route.zone} error={errorOf('local')} onChange={change} />
      <div id="field-seats">
        <SeatsField
          label={t('passenger.seats')}
          seats={values.seats}
          error={errorOf('seats')}
          onChange={(seats) => set('seats', seats)}
        />
      </div>
      <OfferField
        cents={values.offerCents}
        quote={route.quote}
        error={errorOf('offerCents')}
        onChange={(cents) => set('offerCents', cents)}
      />
    </>
  );
}
