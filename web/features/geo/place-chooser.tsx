import { LoaderCircle, LocateFixed, Map as MapIcon } from 'lucide-react';
import { Suspense, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundPlace } from '#contract/geo/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { useConfig } from '../../core/config.ts';
import { lazyPart } from '../../core/lazy-part.ts';
import { MapView } from '../../map/map-view.tsx';
import { usePosition } from '../../map/position.ts';
import type { LonLat, MapPin } from '../../map/shapes.ts';
import { MapScreen } from '../../map/map-screen.tsx';
import { useDesktop } from '../../ui/media.ts';
import { BackContext, PageLayout } from '../../ui/page-layout.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Banner, List, ListRow } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PickOnMap } from './pick-on-map.tsx';
import { usePlaceSearch } from './place-search.ts';
import { usePointName } from './point-name.ts';
import { SavedPlaces } from './saved-places.tsx';
import { SearchBox } from './search-box.tsx';

// Loaded as the person begins to type: with them come the icons of all kinds of places.
const SearchResults = lazyPart(async () => (await import('./search-results.tsx')).SearchResults, ['geo']);

const streetZoom = 16;
const regionZoom = 13;

/** Only what a place is: what a search knows beyond that is not stored. */
const plain = ({ name, detail, lon, lat }: Place): Place => ({ name, detail, lon, lat });

/** Choosing the place where the person is. */
function useOwnPlace(position: ReturnType<typeof usePosition>, onChosen: (place: Place) => void) {
  const { t } = useTranslation('common');
  const point = usePointName();
  const [located, setLocated] = useState<'failed' | 'unnamed' | null>(null);
  const choose = async () => {
    setLocated(null);
    const at = await position.locate();
    if (at === null) {
      setLocated('failed');
      toast.error(t('position.failed'));
      return;
    }
    const found = await point.ask(at);
    if (found) onChosen(found);
    else setLocated('unnamed');
  };

  const locating = position.state === 'locating' || point.name.state === 'naming';
  const refused = located === 'unnamed' && point.name.state === 'refused' ? point.name.words : '';
  return { locating, located, refused, choose };
}

/** One place, by typing, from those saved or used lately, by own position, or by a pin on the map. */
export function PlaceChooser({
  title,
  near,
  onChosen,
  onBack,
}: {
  title: string;
  /** Where the person is looking: what is near comes first. */
  near: LonLat | null;
  onChosen: (place: Place) => void;
  onBack: () => void;
}) {
  const { t } = useTranslation(['geo', 'common']);
  const { data: config } = useConfig();
  const position = usePosition();
  const [picking, setPicking] = useState(false);
  const choose = (place: Place) => onChosen(plain(place));
  const own = useOwnPlace(position, choose);
  const start = position.at ?? near ?? config?.region.center ?? null;
  const search = usePlaceSearch({ near: start, onChosen: choose });

  if (picking && start) {
    return (
      <PickOnMap
        title={title}
        start={start}
        zoom={position.at === null && near === null ? regionZoom : streetZoom}
        own={position.at}
        onBack={() => setPicking(false)}
        onChosen={choose}
      />
    );
  }
  return (
    <ChooserFrame
      title={title}
      onBack={onBack}
      box={<SearchBox search={search} label={t('geo:search.label')} />}
      near={start}
      found={search.places}
      onFound={choose}
    >
      {search.text.trim() === '' ? (
        <>
          <OtherWays own={own} onPickOnMap={() => setPicking(true)} />
          <SavedPlaces onChosen={choose} />
        </>
      ) : (
        <Suspense fallback={null}>
          <SearchResults search={search} onChosen={choose} onPickOnMap={() => setPicking(true)} />
        </Suspense>
      )}
    </ChooserFrame>
  );
}

/** Without typing: by the own position, or by a pin on the map. */
function OtherWays({
  own: { locating, located, refused, choose },
  onPickOnMap,
}: {
  own: ReturnType<typeof useOwnPlace>;
  onPickOnMap: () => void;
}) {
  const { t } = useTranslation(['geo', 'common']);
  return (
    <>
      {located === 'failed' && <Banner kind="danger">{t('common:position.manually')}</Banner>}
      {refused !== '' && <Banner kind="danger">{refused}</Banner>}
      <List label={t('geo:otherWays')}>
        <ListRow
          leading={
            locating ? (
              <LoaderCircle aria-hidden className="animate-spin text-ink-2" />
            ) : (
              <LocateFixed aria-hidden className="text-brand-ink" />
            )
          }
          title={t('geo:currentPosition')}
          disabled={locating}
          onClick={() => void choose()}
        />
        <ListRow
          leading={<MapIcon aria-hidden className="text-brand-ink" />}
          title={t('geo:pickOnMap')}
          onClick={onPickOnMap}
        />
      </List>
    </>
  );
}

/** A whole page on a phone; on a desktop the pane next to the map, which shows what was found. */
function ChooserFrame({
  title,
  onBack,
  box,
  near,
  found,
  onFound,
  children,
}: {
  title: string;
  onBack: () => void;
  box: ReactNode;
  near: LonLat | null;
  found: readonly FoundPlace[];
  onFound: (place: FoundPlace) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('common');
  const desktop = useDesktop();
  const pins = useMemo(
    () =>
      found.map((place, index): MapPin => ({
        id: place.id,
        lon: place.lon,
        lat: place.lat,
        kind: 'person',
        letter: String(index + 1),
        label: place.name,
      })),
    [found],
  );
  const fit = useMemo(() => pins.map(({ lon, lat }): LonLat => [lon, lat]), [pins]);

  if (!desktop) {
    return (
      <PageLayout title={title} back={onBack} header={box}>
        {children}
      </PageLayout>
    );
  }
  return (
    <BackContext.Provider value={{ label: t('back'), goBack: onBack }}>
      <MapScreen
        title={title}
        back
        map={
          <MapView
            label={t('map.label')}
            center={near ?? undefined}
            pins={pins}
            fit={fit}
            onPin={(id) => {
              const chosen = found.find((place) => place.id === id);
              if (chosen) onFound(chosen);
            }}
          />
        }
        sheet={
          <Sheet
            label={title}
            words={{ bigger: t('sheet.bigger'), smaller: t('sheet.smaller') }}
            header={box}
          >
            <div className="flex flex-col gap-5">{children}</div>
          </Sheet>
        }
      />
    </BackContext.Provider>
  );
}
