import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { now } from '../../core/clock.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useSession } from '../../core/session.ts';
import { useFormat } from '../../core/use-format.ts';
import {
  clearPassengerDraft,
  usePassengerDraft,
  type PassengerDraft,
} from '../../features/planning/draft.ts';
import { problemsOf, requestOf, type PlanField } from '../../features/planning/publish.ts';
import { usePreferenceFacts } from '../../features/planning/preference-facts.ts';
import { RequestForm } from '../../features/planning/request-form.tsx';
import { RepeatFields } from '../../features/planning/repeat-fields.tsx';
import { planOf } from '../../features/planning/repeat.ts';
import { ReviewDialog } from '../../features/planning/review-dialog.tsx';
import { useProblems } from '../../features/planning/use-problems.ts';
import {
  usePublishPlan,
  useRepeatFacts,
  useRepeatProblems,
} from '../../features/planning/use-publish-plan.ts';
import { useSoundTime } from '../../features/planning/use-sound-time.ts';
import { useWay, useWayOnMap } from '../../features/planning/use-way.ts';
import { WayFacts } from '../../features/planning/way-facts.tsx';
import { WayFields } from '../../features/planning/way-fields.tsx';
import { WayMap } from '../../features/planning/way-map.tsx';
import { PlacesLines } from '../../features/rides/places-lines.tsx';
import { PriceLines } from '../../features/rides/price-lines.tsx';
import { Button } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { useChoosePlace } from '../address/use-choose-place.ts';
import { useEventPrefill } from './use-event-prefill.ts';

/** "Plan your ride" for a passenger: fill in, review, publish; then which rides fit. */
export function PlanRequest({ eventId }: { eventId: string | null }) {
  const { t } = useTranslation('planning');
  const title = usePageTitle();
  const format = useFormat();
  const navigate = useNavigate();
  const { user } = useSession();
  const [draft, write] = usePassengerDraft();
  const { problems, show, forget } = useProblems();
  const [reviewing, setReviewing] = useState(false);
  const choose = useChoosePlace('passenger');
  const way = useWay(draft.from, draft.to, { local: draft.local });
  const shown = useWayOnMap(draft.from, draft.to, way.quote);
  useSoundTime(draft.local, way.zone, (local) => write({ local }));
  useEventPrefill(eventId, draft, write);

  const change = (part: Partial<PassengerDraft>, ...fields: PlanField[]) => {
    write(part);
    forget(...fields);
  };
  const zone = way.zone ?? 'UTC';
  const { order, problems: found } = requestOf(draft, {
    zone,
    quote: way.quote,
    contactWith: user.preferContactWith,
    now: now(),
  });

  // The way back may begin in another zone.
  const backZone = useWay(draft.back && draft.to, draft.back && draft.from).zone ?? zone;
  const plan = planOf(order, draft, backZone);
  const repeatFacts = useRepeatFacts();
  const repeatProblems = useRepeatProblems();

  const publish = usePublishPlan({
    words: t('review.requestPublished'),
    onPublished: ({ kind, id }) => {
      clearPassengerDraft();
      const to = {
        one: '/pages/order/match',
        pair: '/pages/order/detail',
        series: '/pages/order/series',
      } as const;
      void navigate({ to: to[kind], search: { id }, replace: true });
    },
    onRefused: (refused) => {
      setReviewing(false);
      return show(problemsOf(refused));
    },
  });
  const review = () => {
    if (way.refusal) show({ [way.refusal.field]: way.refusal.words });
    else if (!show({ ...found, ...repeatProblems(draft) })) setReviewing(true);
  };
  const errors = {
    from: problems.from ?? (way.refusal?.field === 'from' ? way.refusal.words : undefined),
    to: problems.to ?? (way.refusal?.field === 'to' ? way.refusal.words : undefined),
  };
  const offered = order.offerCents ?? null;
  const preferenceFacts = usePreferenceFacts('passenger', draft.preferences);

  return (
    <Frame
      title={title}
      back
      action={
        <Button full disabled={way.zone === null} onClick={review}>
          {t('review.request')}
        </Button>
      }
    >
      <RequestForm
        draft={draft}
        way={way}
        preferred={user.preferContactWith}
        problems={problems}
        change={change}
        repeatPart={
          <RepeatFields
            draft={draft}
            isDriver={false}
            zone={way.zone}
            backZone={way.zone && backZone}
            problems={problems}
            change={change}
          />
        }
        wayPart={
          <>
            <WayMap shown={shown} />
            <WayFields
              from={draft.from}
              to={draft.to}
              errors={errors}
              onChoose={choose}
              onSwap={() => change({ from: draft.to, to: draft.from }, 'from', 'to')}
            />
            <WayFacts way={way} />
          </>
        }
      />
      {draft.from && draft.to && order.earliestAt !== '' && (
        <ReviewDialog
          open={reviewing}
          onOpenChange={setReviewing}
          title={t('review.requestTitle')}
          way={<PlacesLines from={draft.from} to={draft.to} timeZone={zone} big />}
          facts={[
            {
              label: t('review.window'),
              value: format.when(order.earliestAt, zone, order.latestAt),
            },
            { label: t('passenger.seats'), value: t('seats.count', { count: draft.seats }) },
            { label: t('walk.label'), value: format.distance(draft.walkMetres) },
            ...preferenceFacts,
            { label: t('visibility.label'), value: t(`visibility.${draft.visibility}.label`) },
            ...repeatFacts(plan, backZone),
          ]}
          price={
            offered === null ? (
              <p className="text-body text-ink-2">{t('review.openNote')}</p>
            ) : (
              <PriceLines
                lines={[
                  { label: t('offer.label'), cents: offered },
                  {
                    label: t('review.youPayAtMost', { count: draft.seats }),
                    cents: offered * draft.seats,
                    total: true,
                  },
                ]}
                note={t('review.cardNotePassenger')}
              />
            )
          }
          publishLabel={t('review.publishRequest')}
          busy={publish.busy}
          onPublish={() => publish.run(plan)}
        />
      )}
    </Frame>
  );
}
