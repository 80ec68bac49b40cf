import { Clock, Repeat } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { listAddresses } from '#contract/geo/endpoints.ts';
import { listOrders } from '#contract/rides/endpoints.ts';
import type { OrderSummary } from '#contract/rides/views.ts';
import type { Place } from '#contract/units.ts';
import { ShortcutIcon } from '../../features/geo/shortcut-icon.tsx';
import { useShortcutName } from '../../features/geo/saved-places.tsx';
import { useCall } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import type { Side } from '../../core/side.ts';
import { localOf } from '../../core/zoned-time.ts';
import { now } from '../../core/clock.ts';
import { placeOf } from '../../domain/place/place-of.ts';
import { Chip, ChipRow } from '../../ui/chips.tsx';

interface Ends {
  from: Place | null;
  to: Place | null;
}

const mostRecent = 4;
const mostTrips = 2;
const dayMs = 86_400_000;

const isSame = (a: Place | null, b: Place): boolean =>
  a !== null && a.lon === b.lon && a.lat === b.lat && a.name === b.name;

/** Saved and recent places, read for a person who is signed in. */
function useSavedPlaces() {
  const { signedIn, user } = useSession();
  return useCall(listAddresses, {}, { enabled: signedIn && !user.profileMissing, quiet: true });
}

/** Starts an empty plan at home, where the person has saved that place. */
export function useStartAtHome({ from, to }: Ends, change: (part: { from: Place }) => void): void {
  const { data } = useSavedPlaces();
  const home = data?.shortcuts.find(({ label }) => label === 'home');
  const start = useEffectEvent(() => {
    if (home === undefined || from !== null || to !== null) return;
    const { name, detail, lon, lat } = home;
    change({ from: { name, detail, lon, lat } });
  });
  const isKnown = home !== undefined;
  // Once, when the saved places arrive: a start that the person takes away stays away.
  useEffect(() => {
    if (isKnown) start();
  }, [isKnown]);
}

/** Places that fill the end which is still open, one tap each: saved ones first, then those used lately. */
export function QuickPlaces({
  from,
  to,
  onPick,
}: Ends & { onPick: (end: 'from' | 'to', place: Place) => void }) {
  const { t } = useTranslation('planning');
  const nameOf = useShortcutName();
  const { data, isLoading } = useSavedPlaces();
  const end = to === null ? 'to' : from === null ? 'from' : null;
  // As high as the row of chips that comes: nothing below it moves.
  if (isLoading && end !== null) return <div aria-hidden className="h-13" />;
  if (data === undefined || end === null) return null;
  const saved = data.shortcuts.filter((place) => !isSame(from, place) && !isSame(to, place));
  const recent = data.recent
    .filter((place) => !isSame(from, place) && !isSame(to, place))
    .slice(0, mostRecent);
  if (saved.length + recent.length === 0) return null;
  const pick = ({ name, detail, lon, lat }: Place) => onPick(end, { name, detail, lon, lat });
  return (
    <ChipRow label={t(`quick.${end}`)}>
      {saved.map((shortcut) => (
        <Chip key={shortcut.id} icon={<ShortcutIcon label={shortcut.label} />} onClick={() => pick(shortcut)}>
          {nameOf(shortcut)}
        </Chip>
      ))}
      {recent.map((place) => (
        <Chip
          key={`${place.lon},${place.lat},${place.name}`}
          icon={<Clock aria-hidden className="size-4 text-ink-3" />}
          onClick={() => pick(place)}
        >
          <span className="max-w-44 truncate">{place.name}</span>
        </Chip>
      ))}
    </ChipRow>
  );
}

/** A trip to make again: its ends, and its time of day on the next day. */
export interface UsualTrip {
  from: Place;
  to: Place;
  /** `2026-11-24T07:40` on the clocks of the starting place. */
  local: string;
}

/** The trips that the person made last on this side, each to plan again by one tap. */
export function UsualTrips({ side, onPick }: { side: Side; onPick: (trip: UsualTrip) => void }) {
  const { t } = useTranslation('planning');
  const { signedIn, user } = useSession();
  const orders = useCall(
    listOrders,
    { role: side },
    { enabled: signedIn && !user.profileMissing, quiet: true },
  );
  const trips = differentTrips(orders.data?.orders ?? []).slice(0, mostTrips);
  if (trips.length === 0) return null;
  return (
    <ul aria-label={t('usual.label')} className="flex flex-col gap-2">
      {trips.map((order) => (
        <li key={order.id}>
          <button
            type="button"
            className="flex min-h-11 w-full items-center gap-3 rounded-control px-1 text-left hover:bg-page"
            onClick={() => onPick(tripOf(order))}
          >
            <Repeat aria-hidden className="size-5 shrink-0 text-brand-ink" />
            <span className="min-w-0 flex-1 truncate">
              {t('usual.trip', { from: order.from.name, to: order.to.name })}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The latest of each pair of places. */
function differentTrips(orders: readonly OrderSummary[]): OrderSummary[] {
  const latest = new Map<string, OrderSummary>();
  for (const order of orders) {
    const key = `${order.from.name}\n${order.to.name}`;
    if (!latest.has(key)) latest.set(key, order);
  }
  return [...latest.values()];
}

function tripOf({ from, to, startsAt, timeZone }: OrderSummary): UsualTrip {
  const tomorrow = localOf(now() + dayMs, timeZone).slice(0, 10);
  const time = localOf(startsAt, timeZone).slice(11);
  return { from: placeOf(from), to: placeOf(to), local: `${tomorrow}T${time}` };
}
