import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageQuery, usePageTitle } from '../../core/navigation.ts';
import { LocateButton } from '../../map/locate-button.tsx';
import { MapView } from '../../map/map-view.tsx';
import { usePosition } from '../../map/position.ts';
import { usePassengerDraft } from '../../features/planning/draft.ts';
import { OfferField } from '../../features/planning/offer-field.tsx';
import { RoleSwitch } from '../../features/planning/role-switch.tsx';
import { SeatsField } from '../../features/planning/seats-field.tsx';
import { useProblems } from '../../features/planning/use-problems.ts';
import { useHomeView } from '../../features/planning/use-home-view.ts';
import { useSoundTime } from '../../features/planning/use-sound-time.ts';
import { useWay, useWayOnMap } from '../../features/planning/use-way.ts';
import { WayFacts } from '../../features/planning/way-facts.tsx';
import { WayFields } from '../../features/planning/way-fields.tsx';
import { WindowFields } from '../../features/planning/window-fields.tsx';
import { changedDraft } from '../../features/planning/changed-draft.ts';
import { NextOrderCard } from '../../features/rides/next-order-card.tsx';
import { MapScreen } from '../../shell/map-screen.tsx';
import { buttonLook, TextButton } from '../../ui/button.tsx';
import { Sheet, type SheetSnap } from '../../ui/sheet.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ChoosePlace } from '../address/choose-place.tsx';
import { useChoosePlace } from '../address/use-choose-place.ts';
import { RidesPreview } from './rides-preview.tsx';
import { useDraftMatches } from './use-draft-matches.ts';

export function Page() {
  const { choose } = usePageQuery();
  return choose === 'from' || choose === 'to' ? (
    <ChoosePlace chosenFor="passenger" field={choose} />
  ) : (
    <PassengerHome />
  );
}

function PassengerHome() {
  const { t } = useTranslation(['planning', 'common']);
  const title = usePageTitle();
  const [draft, change] = usePassengerDraft();
  const { problems, show, forget } = useProblems();
  const { from, to } = draft;
  // A plan being made comes first; what is planned already comes first while there is none.
  const planning = from !== null && to !== null;
  const way = useWay(from, to, { local: draft.local });
  const shown = useWayOnMap(from, to, way.quote);
  const position = usePosition();
  const view = useHomeView(shown.fit, position.at);
  const choose = useChoosePlace('passenger');
  const matches = useDraftMatches(draft, way);
  const [snap, setSnap] = useState<SheetSnap>('half');
  useSoundTime(draft.local, way.zone, (local) => change({ local }));

  return (
    <MapScreen
      title={title}
      top={<RoleSwitch side="passenger" />}
      tools={<LocateButton position={position} floating />}
      map={
        <MapView
          label={t('common:map.label')}
          routes={shown.routes}
          pins={shown.pins}
          {...view}
          own={position.at}
        />
      }
      sheet={
        <Sheet
          label={t('planning:passenger.question')}
          words={{ bigger: t('common:sheet.bigger'), smaller: t('common:sheet.smaller') }}
          snap={snap}
          onSnap={setSnap}
          header={<h2 className="text-heading">{t('planning:passenger.question')}</h2>}
          action={
            <Link
              to="/pages/order/confirm"
              search={{ role: 'passenger' }}
              className={buttonLook({ tone: 'brand', full: true })}
            >
              {t('planning:passenger.plan')}
            </Link>
          }
        >
          <div className="flex flex-col gap-4">
            {!planning && <NextOrderCard side="passenger" />}
            <WayFields
              from={from}
              to={to}
              errors={{
                ...(way.refusal ? { [way.refusal.field]: way.refusal.words } : {}),
                ...(problems.from === undefined ? {} : { from: problems.from }),
                ...(problems.to === undefined ? {} : { to: problems.to }),
              }}
              onChoose={choose}
              onSwap={() => {
                change({ from: to, to: from });
                forget('from', 'to');
              }}
            />
            <WayFacts way={way} />
            {matches.ready && matches.found.total > 0 && (
              <TextButton
                aria-live="polite"
                className="-my-2 self-start"
                onClick={() => {
                  setSnap('full');
                  const list = document.querySelector<HTMLElement>('#preview-count');
                  list?.focus({ preventScroll: true });
                  list?.scrollIntoView({ block: 'start' });
                }}
              >
                {t('planning:match.rides', { count: matches.found.total })}
                <ChevronDown aria-hidden className="size-5" />
              </TextButton>
            )}
            <WindowFields
              draft={draft}
              zone={way.zone}
              error={problems.local}
              onChange={(part) => {
                change(part);
                forget('local');
              }}
            />
            <div id="field-seats">
              <SeatsField
                label={t('planning:passenger.seats')}
                seats={draft.seats}
                error={problems.seats}
                onChange={(seats) => {
                  change({ seats });
                  forget('seats');
                }}
              />
            </div>
            <OfferField
              cents={draft.offerCents}
              quote={way.quote}
              error={problems.offerCents}
              onChange={(offerCents) => {
                change({ offerCents });
                forget('offerCents');
              }}
            />
            {planning && <NextOrderCard side="passenger" />}
            <RidesPreview
              matches={matches}
              onProblems={show}
              onChange={(made) => {
                change(changedDraft(draft, made, way.zone));
                forget('local', 'seats', 'offerCents');
                toast.done(t('planning:almost.done'));
              }}
            />
          </div>
        </Sheet>
      }
    />
  );
}
