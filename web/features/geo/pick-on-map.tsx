import { LoaderCircle, MapPin } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import type { LonLat } from '../../map/shapes.ts';
import { MapView } from '../../map/map-view.tsx';
import { MapScreen } from '../../map/map-screen.tsx';
import { Button } from '../../ui/button.tsx';
import { BackContext } from '../../ui/page-layout.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { usePointName } from './point-name.ts';

const stillMs = 250;

/** The map moves under a pin; the place below it is named, or refused in words, before it can be used. */
export function PickOnMap({
  title,
  start,
  zoom,
  own,
  onBack,
  onChosen,
}: {
  title: string;
  /** Where the pin is at first. */
  start: LonLat;
  /** The zoom of the map at first. */
  zoom: number;
  own: LonLat | null;
  onBack: () => void;
  onChosen: (place: Place) => void;
}) {
  const { t } = useTranslation(['geo', 'common']);
  const { name, ask } = usePointName();
  const timer = useRef(0);
  // The first start counts: following later ones would pull the map from under the person's finger.
  const [firstStart] = useState(start);
  const center = own ?? firstStart;

  useEffect(() => {
    void ask(center);
  }, [ask, center]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const pick = (at: LonLat) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void ask(at), stillMs);
  };

  return (
    <BackContext.Provider value={{ label: t('common:back'), goBack: onBack }}>
      <MapScreen
        title={title}
        back
        top={
          <p className="rounded-control bg-surface px-4 py-2.5 text-body text-ink-2 shadow-card lg:px-0 lg:py-0 lg:shadow-none">
            {t('common:map.pick')}
          </p>
        }
        map={<MapView label={t('common:map.label')} center={center} zoom={zoom} own={own} onPick={pick} />}
        sheet={
          <Sheet
            label={title}
            words={{ bigger: t('common:sheet.bigger'), smaller: t('common:sheet.smaller') }}
            initial="peek"
            snaps={['peek']}
            action={
              <Button
                full
                disabled={name.state !== 'named'}
                onClick={() => name.state === 'named' && onChosen(name.found)}
              >
                {t('geo:usePlace')}
              </Button>
            }
          >
            <PointName name={name} />
          </Sheet>
        }
      />
    </BackContext.Provider>
  );
}

/** What lies under the pin: its name, why it cannot be used, or that it is being named. */
function PointName({ name }: Pick<ReturnType<typeof usePointName>, 'name'>) {
  const { t } = useTranslation('geo');
  return (
    <div aria-live="polite" className="flex min-h-14 items-center gap-3">
      {name.state === 'named' ? (
        <>
          <MapPin aria-hidden className="shrink-0 text-brand-ink" />
          <span className="min-w-0">
            <span className="block text-lead font-semibold">{name.found.name}</span>
            <span className="block text-small text-ink-3">{name.found.detail}</span>
          </span>
        </>
      ) : name.state === 'refused' ? (
        <p className="text-body text-danger">{name.words}</p>
      ) : (
        <>
          <LoaderCircle aria-hidden className="animate-spin text-ink-3" />
          <span className="text-body text-ink-2">{t('naming')}</span>
        </>
      )}
    </div>
  );
}
