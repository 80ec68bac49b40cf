import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../core/clock.ts';
import { lazyPart } from '../../core/lazy-part.ts';
import { usePageSearch } from '../../core/navigation.ts';
import { useSession } from '../../core/use-session.ts';
import type { LonLat } from '../../map/shapes.ts';
import { usePosition } from '../../map/position.ts';
import { alertOfRide } from '../../features/alerts/alert-input.ts';
import { driverStore } from '../../features/planning/draft.ts';
import type { PlanValues } from '../../features/planning/plan-values.ts';
import { rideInputOf } from '../../features/planning/order-input.ts';
import { SeatsField } from '../../features/planning/seats-field.tsx';
import type { PlannedRoute } from '../../features/planning/use-planned-route.ts';
import { RouteFacts } from '../../features/planning/route-facts.tsx';
import { RouteFields } from '../../features/planning/route-fields.tsx';
import { WhenField } from '../../features/planning/when-field.tsx';
import { NextOrderCard } from '../../features/rides/list/next-order-card.tsx';
import { PeopleWaiting } from '../../features/discover/people-waiting.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { useChoosePlace } from '../address/place-dialog.tsx';
import { QuickPlaces, UsualTrips } from './home-shortcuts.tsx';
import { HomeScreen } from './home-screen.tsx';
import { useHomePlan, type HomePlan } from './use-home-plan.ts';
import { FirstVisit } from '../intro/first-visit.tsx';

const SaveAlert = lazyPart(async () => (await import('../../features/alerts/save-alert.tsx')).SaveAlert, []);
const PushOffer = lazyPart(
  async () => (await import('../../features/notifications/push-offer.tsx')).PushOffer,
  [],
);

export function Page() {
  const { choose } = usePageSearch('/');
  return (
    <>
      <DriverHome />
      {choose === undefined && <FirstVisit />}
    </>
  );
}

function DriverHome() {
  const plan = useHomePlan(driverStore);
  const { from, to } = plan.values;
  const position = usePosition();
  return (
    <HomeScreen
      side="driver"
      plan={plan}
      position={position}
      action={from !== null && to !== null && <PlanLink />}
    >
      <DriverPlan plan={plan} near={from ? [from.lon, from.lat] : position.at} />
    </HomeScreen>
  );
}

/** The plan in the sheet: where, when, how many seats; below it what is planned already, and who waits. */
function DriverPlan({ plan, near }: { plan: HomePlan; near: LonLat | null }) {
  const { t } = useTranslation('planning');
  const choose = useChoosePlace();
  const { values, endErrors, set, change, route } = plan;
  const { from, to } = values;
  // A plan being made comes first; what is planned already comes first while there is none.
  const planning = from !== null && to !== null;
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
      {!planning && <NextOrderCard side="driver" />}
      {!planning && <UsualTrips side="driver" onPick={change} />}
      <WhenField
        label={t('driver.when')}
        local={values.local}
        zone={route.zone}
        onChange={(local) => set('local', local)}
      />
      <SeatsField label={t('driver.seats')} seats={values.seats} onChange={(seats) => set('seats', seats)} />
      {planning && <NextOrderCard side="driver" />}
      <PeopleWaiting at={near} />
      <WaitForPassengers draft={values} route={route} />
    </div>
  );
}

/** The way on to everything else that a ride needs. */
function PlanLink() {
  const { t } = useTranslation('planning');
  return (
    <Link
      to="/pages/order/confirm"
      search={{ role: 'driver' }}
      className={buttonVariants({ tone: 'brand', full: true })}
    >
      {t('driver.plan')}
    </Link>
  );
}

/** Once the plan says where and when: offers to notify of passengers who need a ride on that route. */
function WaitForPassengers({ draft, route }: { draft: PlanValues; route: PlannedRoute }) {
  const { user } = useSession();
  const now = useNow();
  if (draft.from === null || draft.to === null || route.quote === null || route.zone === null) return null;
  const { zone, quote } = route;
  const order = rideInputOf(draft, draft.vehicleId, {
    zone,
    quote,
    contactWith: user.preferContactWith,
    canBePaid: null,
  });
  const {
    from,
    to,
    seats,
    departsAt,
    flexMinutes = 0,
    maxDetourMinutes = null,
    priceKind,
    costCents,
  } = order;
  if (departsAt === '' || Date.parse(departsAt) <= now) return null;
  const places = { from: { detail: '', ...from }, to: { detail: '', ...to } };
  return (
    <Suspense>
      <SaveAlert
        timeZone={zone}
        saved={<PushOffer moment="alert" />}
        alert={alertOfRide({
          ...places,
          seats,
          departsAt,
          flexMinutes,
          maxDetourMinutes,
          priceKind,
          costCents,
          preferences: draft.preferences,
        })}
      />
    </Suspense>
  );
}
