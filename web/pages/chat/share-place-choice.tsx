import { LoaderCircle, LocateFixed } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Place } from '#contract/units.ts';
import { useConfig } from '../../core/config.ts';
import { usePosition } from '../../map/position.ts';
import { usePlaceSearch } from '../../features/geo/place-search.ts';
import { usePointName } from '../../features/geo/point-name.ts';
import { SearchBox } from '../../features/geo/search-box.tsx';
import { SearchResults } from '../../features/geo/search-results.tsx';
import { List, ListRow } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Chooses the place to share in a chat: the current location, or one that is typed. */
export function SharePlaceChoice({ onChosen }: { onChosen: (place: Place) => void }) {
  const { t } = useTranslation(['geo', 'chat', 'common']);
  const { data: config } = useConfig();
  const position = usePosition();
  const point = usePointName();
  const choose = ({ name, detail, lon, lat }: Place) => onChosen({ name, detail, lon, lat });
  const search = usePlaceSearch({ near: position.at ?? config?.region.center ?? null, onChosen: choose });
  const locating = position.state === 'locating' || point.name.state === 'naming';
  const choosePosition = async () => {
    const at = await position.locate();
    if (at === null) {
      toast.error(t('common:position.failed'));
      return;
    }
    const found = await point.ask(at);
    // The pin goes to the exact point, even without an address there, not to the nearest house.
    const [lon, lat] = at;
    choose({ name: found?.name ?? t('chat:myPosition'), detail: found?.detail ?? '', lon, lat });
  };
  return (
    <div className="flex min-h-80 flex-col gap-4">
      <SearchBox search={search} label={t('geo:search.label')} />
      {search.text.trim() === '' ? (
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
            onClick={() => void choosePosition()}
          />
        </List>
      ) : (
        <SearchResults search={search} onChosen={choose} />
      )}
    </div>
  );
}
