import { CircleCheck, Link2Off } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { watchTrip, type SharedTrip } from '#contract/safety/endpoints.ts';
import { useNow } from '../../core/clock.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { MapView } from '../../map/map-view.tsx';
import type { LonLat, MapPin } from '../../map/shapes.ts';
import { stillToCome } from '../../features/rides/live/car.ts';
import { StepCard } from '../../features/rides/live/step-card.tsx';
import { useVehicleWords } from '../../domain/ride/vehicle-words.ts';
import { MapScreen } from '../../map/map-screen.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

/** A person at home views it without being signed in, so they get no live updates: the page asks. */
const lookAgainMs = 5000;
/** A car that is under way says where it is several times a minute. */
const oldPositionMs = 90_000;

/** A trip that a person shares with the holder of this link. */
export function Page() {
  const { t } = useTranslation('safety');
  const title = usePageTitle();
  const { code = '' } = usePageSearch('/pages/order/shared');
  const watched = useCall(
    watchTrip,
    { code },
    { enabled: code !== '', quiet: true, refetchInterval: lookAgainMs },
  );
  const { data } = watched;
  if (data?.trip) return <Watching name={data.name} trip={data.trip} />;
  return (
    <PageLayout title={title} back>
      <QueryView
        query={watched}
        skeleton={{ kind: 'detail' }}
        isMissing={code === ''}
        missing={<EmptyState icon={<Link2Off />} title={t('watch.none')} text={t('watch.noneText')} />}
      >
        {({ name }) => (
          <EmptyState icon={<CircleCheck />} title={t('watch.over', { name })} text={t('watch.overText')} />
        )}
      </QueryView>
    </PageLayout>
  );
}

/** The ends of the trip and the car, and what of them is brought into view. */
function useTripOnMap({ from, to, car, driverName }: SharedTrip): { pins: MapPin[]; fit: LonLat[] } {
  // Where the car was at first is brought into view; the map does not follow it on.
  const [firstCar] = useState(car);
  const drawing = useMemo(() => {
    const pins: MapPin[] = [
      { id: 'from', lon: from.lon, lat: from.lat, kind: 'origin', letter: '', label: from.name },
      { id: 'to', lon: to.lon, lat: to.lat, kind: 'destination', letter: '', label: to.name },
    ];
    const fit = [...pins, ...(firstCar === null ? [] : [firstCar])].map(({ lon, lat }): LonLat => [lon, lat]);
    return { pins, fit };
  }, [from.lon, from.lat, from.name, to.lon, to.lat, to.name, firstCar]);
  const [carLon, carLat] = car === null ? [null, null] : [car.lon, car.lat];
  const pins = useMemo(
    () =>
      carLon === null || carLat === null
        ? drawing.pins
        : [
            ...drawing.pins,
            { id: 'car', lon: carLon, lat: carLat, kind: 'car' as const, letter: '', label: driverName },
          ],
    [drawing.pins, carLon, carLat, driverName],
  );
  return { pins, fit: drawing.fit };
}

function Watching({ name, trip }: { name: string; trip: SharedTrip }) {
  const { t } = useTranslation(['safety', 'rides', 'common']);
  const title = usePageTitle();
  const format = useFormat();
  const vehicleWords = useVehicleWords();
  const now = useNow(15_000);
  const { to, car, driverName, vehicle } = trip;
  const { pins, fit } = useTripOnMap(trip);
  return (
    <MapScreen
      title={title}
      back
      map={<MapView label={t('common:map.label')} pins={pins} fit={fit} />}
      sheet={
        <Sheet
          label={t('safety:watch.sheet')}
          words={{ bigger: t('common:sheet.bigger'), smaller: t('common:sheet.smaller') }}
        >
          <div className="flex flex-col gap-4">
            <StepCard
              title={t(trip.onBoard ? 'safety:watch.onBoard' : 'safety:watch.waiting', { name })}
              text={t('safety:watch.driver', { name: driverName })}
              place={{ name: to.name, detail: '' }}
              at={trip.plannedAt}
              expectedAt={stillToCome(trip.expectedAt ?? undefined)}
              timeZone={trip.timeZone}
            >
              {vehicle !== null && (
                <p className="flex flex-wrap items-center gap-2 text-body">
                  {vehicleWords(vehicle)}
                  {vehicle.plate !== '' && (
                    <span className="figures rounded-small border-2 border-ink px-2 py-0.5 text-lead font-semibold">
                      {vehicle.plate}
                    </span>
                  )}
                </p>
              )}
            </StepCard>
            <p className="text-small text-ink-2">
              {car === null
                ? t('safety:watch.noCar')
                : now - Date.parse(car.at) < oldPositionMs
                  ? t('safety:watch.live')
                  : t('safety:watch.seen', { time: format.relative(car.at) })}
            </p>
            <p className="text-small text-ink-3">{t('safety:watch.until')}</p>
          </div>
        </Sheet>
      }
    />
  );
}
