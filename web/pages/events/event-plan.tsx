import { Link } from '@tanstack/react-router';
import { Waypoints } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import type { EventDetail } from '#contract/events/endpoints.ts';
import { assignPlaces, eventPlan, type EventWay, type OrganisersPlan } from '#contract/events/plan.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useEventPins } from '../../features/events/event-on-map.ts';
import { PlanDirection } from '../../features/events/plan-direction.tsx';
import { queryOfEvent, WithEvent } from '../../features/events/with-event.tsx';
import { useBackdrop } from '../../map/backdrop.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner, EmptyState } from '../../ui/surfaces.tsx';
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
  const planned = useCall(eventPlan, { id }, { quiet: true });
  const plan = planned.data;
  useBackdrop(useEventPins(useMemo(() => [event], [event])));
  const send = useAction(assignPlaces, {
    invalidates: ['/event/'],
    onDone: () => toast.done(t('events:plan.sent')),
    onRefused: (refused) => {
      if (refused.reason === 'event.planMoved') void planned.refetch();
      return false;
    },
  });
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
      <QueryView
        query={planned}
        failed={t('failed')}
        skeleton={{ kind: 'cards' }}
        isEmpty={isEmptyPlan}
        empty={<NobodyYet event={event} />}
      >
        {(ready) => <PlannedWays plan={ready} way={way} onWay={setWay} timeZone={timeZone} />}
      </QueryView>
    </PageLayout>
  );
}

const isEmptyPlan = ({ ways }: OutputOf<typeof eventPlan>): boolean =>
  ways.every(({ rides, left }) => rides.length === 0 && left.length === 0);

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
