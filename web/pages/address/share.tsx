import { Link, useRouter } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { reversePlace, searchPlaces } from '#contract/geo/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { driverStore, passengerStore } from '../../features/planning/draft.ts';
import { call } from '../../core/api.ts';
import { QueryView } from '../../core/query-view.tsx';
import { safeReturn, usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { homeOf, readStartSide } from '../../core/side.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { readShared, type SharedThing } from './shared-place.ts';

/** What another app shares with this one: a link opens its page, a place becomes where a plan goes to. */
export function Page() {
  const { t } = useTranslation('geo');
  const shared = usePageSearch('/pages/address/share');
  const { history } = useRouter();
  const thing = useMemo(() => readShared(shared, location.origin), [shared]);
  const found = useQuery({ queryKey: ['shared', thing], queryFn: () => findPlace(thing) });
  const { data: place } = found;
  useEffect(() => {
    if (thing.kind === 'link') openLink(thing.path, history.replace);
    else if (place) {
      goTo(place);
      history.replace(homeOf[readStartSide()]);
    }
  }, [thing, place, history]);

  return (
    <PageLayout title={usePageTitle()} back>
      <QueryView
        query={found}
        failed={t('search.failed')}
        empty={<NothingFound />}
        isEmpty={(each) => each === null && thing.kind !== 'link'}
      >
        {() => null}
      </QueryView>
    </PageLayout>
  );
}

function NothingFound() {
  const { t } = useTranslation('geo');
  return (
    <EmptyState
      icon={<SearchX />}
      title={t('share.nothing')}
      text={t('share.nothingText')}
      action={
        <Link
          to={homeOf[readStartSide()]}
          search={{ choose: 'to' }}
          replace
          className={buttonVariants({ small: true })}
        >
          {t('share.search')}
        </Link>
      }
    />
  );
}

/** Short links are the server's: it knows what they stand for. */
function openLink(path: string, replace: (path: string) => void): void {
  if (/^\/[er]\//.test(path)) location.replace(path);
  else replace(safeReturn(path));
}

/** The place that was shared, as this region knows it; null where it has none of that name. */
async function findPlace(thing: SharedThing): Promise<Place | null> {
  if (thing.kind === 'link') return null;
  if (thing.kind === 'point') {
    const { lon, lat, name } = thing;
    const at = await call(reversePlace, { lon, lat }, { quiet: true });
    return { name: name || at.name, detail: name === '' ? at.detail : at.name, lon: at.lon, lat: at.lat };
  }
  for (const text of thing.names) {
    const [best] = (await call(searchPlaces, { text }, { quiet: true })).places;
    if (best !== undefined) return { name: best.name, detail: best.detail, lon: best.lon, lat: best.lat };
  }
  return null;
}

/** Makes it the destination of the plan that the person has begun, or begins, on the side they used last. */
function goTo(place: Place): void {
  const plan = readStartSide() === 'driver' ? driverStore : passengerStore;
  plan.write({ ...plan.read(), to: place });
}
