import { Link, useNavigate } from '@tanstack/react-router';
import { Share2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventRides, type EventDetail as Detail } from '#contract/events/endpoints.ts';
import { myEvent, type EventWay } from '#contract/events/plan.ts';
import { now } from '../../core/clock.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { PartView, QueryView } from '../../core/query-view.tsx';
import { useSession } from '../../core/use-session.ts';
import { SmallMap } from '../../map/small-map.tsx';
import { Entries } from '../../features/events/entries.tsx';
import { EventFacts } from '../../features/events/event-facts.tsx';
import { useSeatsOnMap } from '../../features/events/event-on-map.ts';
import { ManageEvent } from '../../features/events/manage-event.tsx';
import { MyPlan } from '../../features/events/my-plan.tsx';
import { ShareEvent } from '../../features/events/share-event.tsx';
import { queryOfEvent, WithEvent } from '../../features/events/with-event.tsx';
import { useBackdrop } from '../../map/backdrop.tsx';
import { buttonVariants, IconButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner, Section } from '../../ui/surfaces.tsx';

/** One event: when, where, my way to it, who drives and who needs a seat, and the two ways to join. */
export function EventDetail() {
  const navigate = useNavigate();
  const toList = () => void navigate({ to: '/pages/events/events', search: {} });
  return <WithEvent back={toList}>{(event) => <Shown event={event} toList={toList} />}</WithEvent>;
}

/**
 * The seats of a way on the map; a pin opens its ride or request. `isBehind` when the page lies over the map
 * already.
 */
function useMapOf(event: Detail, entries: Parameters<typeof useSeatsOnMap>[1]) {
  const navigate = useNavigate();
  const { id } = event;
  const { pins, fit } = useSeatsOnMap(event, entries);
  const isBehind = useBackdrop(
    useMemo(
      () => ({
        pins,
        fit,
        onPin: (pin: string) => {
          if (pin !== id) void navigate({ to: '/pages/order/detail', search: { id: pin } });
        },
      }),
      [pins, fit, id, navigate],
    ),
  );
  return { pins, fit, isBehind };
}

function Shown({ event, toList }: { event: Detail; toList: () => void }) {
  const { t } = useTranslation(['events', 'common']);
  const title = usePageTitle();
  const navigate = useNavigate();
  const { signedIn } = useSession();
  const [sharing, setSharing] = useState(false);
  const [way, setWay] = useState<EventWay>('there');
  const { id } = event;
  const joined = useCall(eventRides, queryOfEvent(event), { quiet: true });
  const entries = joined.data?.entries;
  const mine = useCall(myEvent, { id }, { enabled: signedIn, quiet: true });
  const here = useMemo(() => entries?.filter((entry) => entry.way === way), [entries, way]);
  const { pins, fit, isBehind } = useMapOf(event, here);
  const toOrder = (orderId: string) => void navigate({ to: '/pages/order/detail', search: { id: orderId } });
  const isOpen = !event.canceled && Date.parse(event.endsAt) > now();

  return (
    <PageLayout
      title={title}
      back={toList}
      tools={
        <IconButton
          label={t('events:share.title')}
          icon={<Share2 aria-hidden />}
          onClick={() => setSharing(true)}
        />
      }
      action={isOpen && <JoinLinks event={event} />}
    >
      {event.canceled && (
        <Banner kind="warn">{t('events:cancelledText', { name: event.organizer.name })}</Banner>
      )}
      <PartView query={mine}>{(own) => <MyPlan mine={own} />}</PartView>
      <EventFacts event={event} />
      {event.mine && isOpen && <ManageEvent event={event} />}
      <Section title={t('events:showWays')}>
        <SegmentedControl<EventWay>
          label={t('events:join.ways')}
          value={way}
          options={[
            { value: 'there', label: t('events:there') },
            { value: 'back', label: t('events:back') },
          ]}
          onChange={setWay}
        />
        {!isBehind && (
          <SmallMap
            label={t('common:map.label')}
            pins={pins}
            fit={fit}
            className="h-56 rounded-control shadow-card"
          />
        )}
        <QueryView query={joined}>
          {() => <Entries way={way} entries={here ?? []} onOpen={toOrder} />}
        </QueryView>
      </Section>
      <ShareEvent event={event} open={sharing} onOpenChange={setSharing} />
    </PageLayout>
  );
}

/** The two ways to come along. */
function JoinLinks({ event }: { event: Detail }) {
  const { t } = useTranslation('events');
  const query = queryOfEvent(event);
  return (
    <div className="flex gap-2">
      <Link
        to="/pages/events/eventJoinAsPassenger"
        search={query}
        className={`${buttonVariants({ tone: 'quiet' })} flex-1`}
      >
        {t('rideThere')}
      </Link>
      <Link to="/pages/events/eventJoinAsDriver" search={query} className={`${buttonVariants()} flex-1`}>
        {t('driveThere')}
      </Link>
    </div>
  );
}
