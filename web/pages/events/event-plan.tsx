import { Link } from '@tanstack/react-router';
import { Waypoints } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventDetail } from '#contract/events/endpoints.ts';
import { assignPlaces, eventPlan, type EventWay, type OrganisersPlan } from '#contract/events/plan.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { useEventPins } from '../../features/events/event-on-map.ts';
import { PlanDirection } from '../../features/events/plan-direction.tsx';
import { queryOfEvent, WithEvent } from '../../features/events/with-event.tsx';
import { useBackdrop } from '../../map/backdrop.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Banner, EmptyState, ErrorState } from '../../ui/surfaces.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toasts.tsx';

/** The organizer's plan of who rides with whom, and the button that sends it. */
export function Page() {
  return <WithEvent>{(event) => <Plan event={event} />}</WithEvent>;
}

function Plan({ event }: { event: EventDetail }) {
  const { t } = useTranslation(['events', 'common']);
  const title = usePageTitle();
  const [way, setWay] = useState<EventWay>('there');
  const { id, timeZone } = event;
  const { data: plan, error, refetch } = useCall(eventPlan, { id }, { quiet: true });
  useBackdrop(useEventPins(useMemo(() => [event], [event])));
  const send = useAction(assignPlaces, {
    invalidates: ['/event/'],
    onDone: () => toast.done(t('events:plan.sent')),
    onRefused: (refused) => {
      if (refused.reason === 'event.planMoved') void refetch();
      return false;
    },
  });
  const isEmpty = plan?.ways.every(({ rides, left }) => rides.length === 0 && left.length === 0) ?? false;
  return (
    <PageLayout
      title={title}
      back
      action={
        plan !== undefined &&
        plan.unsent > 0 && (
          <>
            <p className="text-small text-ink-2">{t('events:plan.howItWorks')}</p>
            <Button full busy={send.busy} onClick={() => send.run({ id, places: unsentOf(plan) })}>
              {t('events:plan.send', { count: plan.unsent })}
            </Button>
          </>
        )
      }
    >
      {plan === undefined ? (
        error ? (
          <ErrorState
            title={t('events:failed')}
            text={errorWords(error)}
            retryLabel={t('common:retry')}
            onRetry={() => void refetch()}
          />
        ) : (
          <Skeleton label={t('common:loading')} kind="cards" />
        )
      ) : isEmpty ? (
        <NobodyYet event={event} />
      ) : (
        <PlannedWays plan={plan} way={way} onWay={setWay} timeZone={timeZone} />
      )}
    </PageLayout>
  );
}

/** Without rides and requests there is nothing to plan: the event is to be shared. */
function NobodyYet({ event }: { event: EventDetail }) {
  const { t } = useTranslation('events');
  return (
    <EmptyState
      icon={<Waypoints />}
      title={t('plan.nobody')}
      text={t('plan.nobodyText')}
      action={
        <Link
          to="/pages/events/events"
          search={queryOfEvent(event)}
          className={buttonVariants({ small: true })}
        >
          {t('plan.shareIt')}
        </Link>
      }
    />
  );
}

/** How far the plan is sent, and one way of it. */
function PlannedWays({
  plan,
  way,
  onWay,
  timeZone,
}: {
  plan: OrganisersPlan;
  way: EventWay;
  onWay: (way: EventWay) => void;
  timeZone: string;
}) {
  const { t } = useTranslation('events');
  return (
    <>
      {plan.sentAt !== null && plan.unsent === 0 ? (
        <Banner kind="info">{t('plan.isSent')}</Banner>
      ) : (
        <p className="text-body text-ink-2">{t('plan.text')}</p>
      )}
      <Tabs
        label={t('join.ways')}
        tabs={plan.ways.map(({ way: value }) => ({ value, label: t(value) }))}
        value={way}
        onChange={onWay}
      >
        <div className="flex flex-col gap-5 pt-4">
          {plan.ways
            .filter((each) => each.way === way)
            .map((planned) => (
              <PlanDirection key={planned.way} planned={planned} timeZone={timeZone} />
            ))}
        </div>
      </Tabs>
    </>
  );
}

const unsentOf = ({ ways }: OrganisersPlan) =>
  ways.flatMap(({ rides }) =>
    rides.flatMap(({ rideId, passengers }) =>
      passengers.filter(({ state }) => state === 'planned').map(({ requestId }) => ({ rideId, requestId })),
    ),
  );
