import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarSync, UserPlus, UsersRound } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Temporal } from 'temporal-polyfill';
import { useTranslation } from 'react-i18next';
import { companions, type Companion, type OwnWay } from '#contract/discover/endpoints.ts';
import { now } from '../../core/clock.ts';
import { LoadMore } from '../../core/paginated-list.tsx';
import { dayOf } from '#contract/formats/times.ts';
import { usePaginatedCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useSession } from '../../core/use-session.ts';
import { useFormat } from '../../core/use-format.ts';
import { useWeekdays } from '../../core/use-weekdays.ts';
import type { MapPin } from '../../map/shapes.ts';
import { areaKeyOf } from '../../features/discover/area-key.ts';
import { DiscoverFrame, useDiscoverQuery } from '../../features/discover/frame.tsx';
import { PhoneMap } from '../../features/discover/phone-map.tsx';
import { useAreaRoute } from '../../features/discover/use-area-route.ts';
import { useBackdrop } from '../../map/backdrop.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { EmptyState, Section } from '../../ui/surfaces.tsx';
import { CompanionCard } from './companion-card.tsx';
import { startWeekly } from './plan-weekly.ts';
import { SignInFirst } from './sign-in-first.tsx';

const useCompanions = (enabled: boolean) =>
  usePaginatedCall(
    companions,
    {},
    { items: (answer) => answer.people, total: (answer) => answer.total, enabled },
  );

/** Who has the same commute every week, commute by commute. */
export function SameCommute({ unreadAlerts }: { unreadAlerts: number }) {
  const { t } = useTranslation(['discover', 'common']);
  const { signedIn } = useSession();
  const { asMap } = useDiscoverQuery();
  const found = useCompanions(signedIn);
  const { items } = found;
  const commutes = found.first?.ways ?? [];
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = items.find(({ person }) => person.id === chosenId);
  // The commute of the person who is shown, else the one with most company.
  const commuteId = (chosen ?? items[0])?.wayId;
  const commute = commutes.find(({ id }) => id === commuteId) ?? commutes[0];
  const drawing = useCompanyDrawing(items, commute);
  // Several start in one neighborhood: each tap on its pin shows the next of them.
  const pick = useCallback(
    (area: string) => {
      const there = items.filter((one) => one.wayId === commute?.id && areaKeyOf(one) === area);
      const index = there.findIndex(({ person }) => person.id === chosenId);
      const next = there[(index + 1) % there.length];
      if (next === undefined) return;
      setChosenId(next.person.id);
      document.getElementById(cardIdOf(next))?.scrollIntoView({ block: 'center' });
    },
    [items, commute?.id, chosenId],
  );
  const backdrop = useMemo(() => ({ ...drawing, onPin: pick }), [drawing, pick]);
  useBackdrop(backdrop);

  return (
    <DiscoverFrame unreadAlerts={unreadAlerts} hasMap={commute !== undefined}>
      {!signedIn ? (
        <SignInFirst
          icon={<UsersRound />}
          title={t('discover:company.guestTitle')}
          text={t('discover:company.guestText')}
          returnTo="/pages/discover/discover?view=people"
        />
      ) : (
        <QueryView query={found} failed={t('discover:company.failed')} skeleton={{ kind: 'cards' }}>
          {() =>
            commute === undefined ? (
              <NoWeeklyCommute />
            ) : asMap ? (
              <PhoneMap
                drawing={drawing}
                own={null}
                onPin={pick}
                onClose={() => setChosenId(null)}
                card={chosen === undefined ? null : <CompanionCard companion={chosen} chosen={false} />}
              />
            ) : (
              <AllCommutes found={found} chosenId={chosenId} />
            )
          }
        </QueryView>
      )}
    </DiscoverFrame>
  );
}

const cardIdOf = ({ person }: Companion) => `company-${person.id}`;

/** My commutes as a list, each with those who take it too. */
function AllCommutes({
  found,
  chosenId,
}: {
  found: ReturnType<typeof useCompanions>;
  chosenId: string | null;
}) {
  const { t } = useTranslation(['discover', 'common']);
  const { items } = found;
  return (
    <>
      {items.length === 0 && <NobodyYet />}
      {(found.first?.ways ?? []).map((each) => (
        <OnWay
          key={each.id}
          commute={each}
          people={items.filter((one) => one.wayId === each.id)}
          chosenId={chosenId}
        />
      ))}
      {items.length > 0 && <p className="text-small text-ink-3">{t('discover:company.privacy')}</p>}
      <LoadMore pages={found} />
    </>
  );
}

/** One of my commutes with those who take it too; nothing where no one does. */
function OnWay({
  commute,
  people,
  chosenId,
}: {
  commute: OwnWay;
  people: readonly Companion[];
  chosenId: string | null;
}) {
  const { t } = useTranslation('discover');
  const format = useFormat();
  const weekdays = useWeekdays();
  if (people.length === 0) return null;
  const title = `${commute.from.name} → ${commute.to.name}`;
  return (
    <Section title={title}>
      <p className="figures -mt-2 text-small text-ink-2">
        {t('company.yours', { days: weekdays(commute.days), time: format.clockTime(commute.time) })}
      </p>
      <ul aria-label={title} className="flex flex-col gap-3">
        {people.map((companion) => (
          <li key={companion.person.id} id={cardIdOf(companion)}>
            <CompanionCard companion={companion} chosen={companion.person.id === chosenId} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NoWeeklyCommute() {
  const { t } = useTranslation('discover');
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={<CalendarSync />}
      title={t('company.noWayTitle')}
      text={t('company.noWayText')}
      action={
        <Button
          small
          onClick={() => {
            startWeekly(dayOf(now(), Temporal.Now.timeZoneId()));
            void navigate({ to: '/pages/order/confirm', search: { role: 'driver' } });
          }}
        >
          {t('company.plan')}
        </Button>
      }
    />
  );
}

function NobodyYet() {
  const { t } = useTranslation('discover');
  return (
    <EmptyState
      icon={<UserPlus />}
      title={t('company.emptyTitle')}
      text={t('company.emptyText')}
      action={
        <Link to="/pages/account/invite" className={buttonVariants({ small: true })}>
          {t('company.invite')}
        </Link>
      }
    />
  );
}

/**
 * My commute along the roads, and the neighborhoods where those who take it start: one pin for all of one.
 */
function useCompanyDrawing(people: readonly Companion[], commute: OwnWay | undefined) {
  const { t } = useTranslation('discover');
  const route = useAreaRoute(commute);
  return useMemo(() => {
    if (commute === undefined) return { pins: [], routes: [], fit: [] };
    const { from, to } = commute;
    const start = areaKeyOf(commute);
    const byArea = new Map<string, Companion[]>([[start, []]]);
    for (const one of people.filter(({ wayId }) => wayId === commute.id))
      byArea.set(areaKeyOf(one), [...(byArea.get(areaKeyOf(one)) ?? []), one]);
    const pins: MapPin[] = [...byArea].map(([key, those]) => {
      const area = those[0]?.from ?? from;
      const names = those.map(({ person }) => person.name);
      const isStart = key === start;
      return {
        id: key,
        lon: area.lon,
        lat: area.lat,
        kind: isStart ? 'origin' : those.some(({ role }) => role === 'driver') ? 'car' : 'person',
        letter: isStart ? 'A' : those.length > 1 ? String(those.length) : (names[0]?.charAt(0) ?? ''),
        label: `${[...(isStart ? [t('company.you')] : []), ...names].join(', ')}: ${area.name}`,
      };
    });
    pins.push({ id: 'to', lon: to.lon, lat: to.lat, kind: 'destination', letter: 'B', label: to.name });
    return {
      pins,
      routes: route.routes,
      fit: [...route.fit, ...pins.map(({ lon, lat }) => [lon, lat] as const)],
    };
  }, [people, commute, route, t]);
}
