import { useNavigate } from '@tanstack/react-router';
import { MapPin } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventDetail } from '#contract/events/endpoints.ts';
import type { EventWay } from '#contract/events/plan.ts';
import type { Place } from '#contract/units.ts';
import { useDraft } from '../../core/drafts.ts';
import { errorWords, fieldWords, type Refused } from '../../core/errors.ts';
import { usePageTitle } from '../../core/navigation.ts';
import * as shape from '../../core/shape.ts';
import { useFormat } from '../../core/use-format.ts';
import { localOf } from '../../core/zoned-time.ts';
import { EventFacts } from '../../features/events/event-facts.tsx';
import {
  spanOf,
  DirectionTime,
  type Span,
  type DirectionChoice,
} from '../../features/events/direction-time.tsx';
import { queryOfEvent } from '../../features/events/with-event.tsx';
import {
  usePlannedRoute,
  usePlannedRouteOnMap,
  type PlannedRoute,
} from '../../features/planning/use-planned-route.ts';
import { useBackdrop } from '../../map/backdrop.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { PickerRow } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Card } from '../../ui/surfaces.tsx';

type Role = 'driver' | 'passenger';
type Problems = Partial<Record<string, string>>;

const wayChoice = shape.fields({ on: shape.flag, local: shape.text.nullable() });
const bothWays: DirectionChoice = { on: true, local: null };

/** The times of both ways, in the span that fits the event until another time is chosen. */
export function useJoining(
  event: EventDetail,
  from: Place | null,
  fitsOf: { there: (startsMs: number, driveMs: number) => Span; back: (endsMs: number) => Span },
) {
  const [there, setThere, forgetThere] = useDraft<DirectionChoice>(
    `join.${event.id}.there`,
    bothWays,
    wayChoice,
  );
  const [back, setBack, forgetBack] = useDraft<DirectionChoice>(`join.${event.id}.back`, bothWays, wayChoice);
  const [problems, setProblems] = useState<Problems>({});
  const way = usePlannedRoute(from, event.place, { local: localOf(event.startsAt, event.timeZone) });
  const driveMs = (way.quote?.route.seconds ?? 0) * 1000;
  const zones: Record<EventWay, string> = { there: way.zone ?? event.timeZone, back: event.timeZone };
  const fits: Record<EventWay, Span> = {
    there: fitsOf.there(Date.parse(event.startsAt), driveMs),
    back: fitsOf.back(Date.parse(event.endsAt)),
  };
  const choices: Record<EventWay, DirectionChoice> = { there, back };
  return {
    way,
    fits,
    zones,
    choices,
    problems,
    choose: (which: EventWay, choice: DirectionChoice) => {
      setProblems({});
      (which === 'there' ? setThere : setBack)(choice);
    },
    forget: () => {
      forgetThere();
      forgetBack();
    },
    /**
     * What is asked for a way: null where it is not wanted. An incomplete time asks for the one that fits.
     */
    spanOf: (which: EventWay): Span | null =>
      choices[which].on ? (spanOf(choices[which], fits[which], zones[which]) ?? fits[which]) : null,
    /** Shows the server's refusals at the fields to blame; true if there is such a field. */
    show: (refused: Refused): boolean => {
      const said = refused.reason === 'input.invalid' ? null : errorWords(refused);
      const found = Object.entries(refused.fields).map(([path, why]) => [
        /^(there|back)\b/.test(path) ? path.split('.')[0]! : path,
        said ?? fieldWords(why),
      ]);
      setProblems(Object.fromEntries(found) as Problems);
      return found.length > 0;
    },
  };
}

type Joining = ReturnType<typeof useJoining>;

const words = {
  driver: { there: 'join.there', back: 'join.back', leave: 'join.leave', leaveBack: 'join.leaveBack' },
  passenger: {
    there: 'join.rideThere',
    back: 'join.rideBack',
    leave: 'join.fetch',
    leaveBack: 'join.fetchBack',
  },
} as const;

/**
 * The page of either role: from where, there and back with their times, the role's further choices, and one
 * button.
 */
export function JoinEvent({
  event,
  joinAs,
  from,
  joining,
  busy,
  onChooseFrom,
  onJoin,
  children,
}: {
  event: EventDetail;
  joinAs: Role;
  from: Place | null;
  joining: Joining;
  busy: boolean;
  onChooseFrom: () => void;
  onJoin: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('events');
  const title = usePageTitle();
  const navigate = useNavigate();
  const { way, choices, problems } = joining;
  const shown = usePlannedRouteOnMap(from, event.place, way.quote);
  useBackdrop(shown);
  const nowhere = !choices.there.on && !choices.back.on;
  return (
    <PageLayout
      title={title}
      back={() => void navigate({ to: '/pages/events/events', search: queryOfEvent(event) })}
      action={
        from === null ? (
          <Button full onClick={onChooseFrom}>
            {t('chooseFrom')}
          </Button>
        ) : (
          <Button full busy={busy || way.pending} disabled={nowhere} onClick={onJoin}>
            {t(joinAs === 'driver' ? 'join.driver' : 'join.passenger')}
          </Button>
        )
      }
    >
      <EventFacts event={event} />
      <Card className="flex flex-col gap-4">
        <Field
          label={t('from')}
          error={problems['from'] ?? way.refusal?.words}
          {...(way.quote ? { hint: <DriveFacts way={way} /> } : {})}
        >
          <PickerRow
            value={from?.name ?? ''}
            placeholder={t('fromPlaceholder')}
            icon={<MapPin aria-hidden className="size-5 shrink-0 text-ink-2" />}
            onClick={onChooseFrom}
          />
        </Field>
        <WayTimes joinAs={joinAs} joining={joining} />
        {nowhere && <p className="text-small text-danger">{t('join.noWay')}</p>}
      </Card>
      <Card className="flex flex-col gap-4">{children}</Card>
      <p className="text-small text-ink-2">{t('join.organiserSees')}</p>
    </PageLayout>
  );
}

/** There and back, each wanted or not, with its time. */
function WayTimes({
  joinAs,
  joining: { fits, zones, choices, problems, choose },
}: {
  joinAs: Role;
  joining: Joining;
}) {
  const { t } = useTranslation('events');
  const named = words[joinAs];
  return (
    <>
      <DirectionTime
        label={t(named.there)}
        timeLabel={t(named.leave)}
        choice={choices.there}
        fits={fits.there}
        zone={zones.there}
        error={problems['there']}
        onChange={(choice) => choose('there', choice)}
      />
      <DirectionTime
        label={t(named.back)}
        timeLabel={t(named.leaveBack)}
        choice={choices.back}
        fits={fits.back}
        zone={zones.back}
        error={problems['back']}
        onChange={(choice) => choose('back', choice)}
      />
    </>
  );
}

function DriveFacts({ way }: { way: PlannedRoute }) {
  const { t } = useTranslation('events');
  const format = useFormat();
  const { metres, seconds } = way.quote!.route;
  return t('join.drive', { distance: format.distance(metres), time: format.duration(seconds) });
}

/** After joining: back at the event, which shows one's own trip. */
export function useJoined(event: EventDetail): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: '/pages/events/events', search: queryOfEvent(event), replace: true });
}
