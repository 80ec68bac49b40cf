import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundPlace } from '#contract/geo/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { metresBetween } from '../../core/metres-between.ts';
import { useFormat } from '../../core/use-format.ts';
import { classes } from '../../ui/classes.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState, RowContent } from '../../ui/surfaces.tsx';
import { Button } from '../../ui/button.tsx';
import { PlaceIcon } from './place-icon.tsx';
import type { PlaceSearch } from './place-search.ts';

/** What was found for the typed text, as the listbox of the box above. */
export function SearchResults({
  search,
  onChosen,
  onPickOnMap,
}: {
  search: PlaceSearch;
  onChosen: (found: FoundPlace) => void;
  /** Offers the map where nothing is found. */
  onPickOnMap?: () => void;
}) {
  const { t } = useTranslation(['geo', 'common']);
  const format = useFormat();
  const activeId = search.optionId(search.active);
  useEffect(() => {
    document.querySelector(`#${CSS.escape(activeId)}`)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const { near } = search;
  const away = (at: FoundPlace) =>
    near === null ? '' : format.distance(Math.round(metresBetween({ lon: near[0], lat: near[1] }, at)));

  if (search.error && search.places.length === 0) {
    return (
      <ErrorState
        title={t('geo:search.failed')}
        text={errorWords(search.error)}
        retryLabel={t('common:retry')}
        onRetry={search.retry}
      />
    );
  }
  if (search.searching) return <Skeleton label={t('common:loading')} rows={4} />;
  if (search.nothing) {
    return <NothingFound text={search.text.trim()} onPickOnMap={onPickOnMap} />;
  }
  return (
    <>
      <output className="sr-only">{t('geo:search.found', { count: search.places.length })}</output>
      <div
        id={search.listId}
        // A native select cannot stand open under a box that is typed in.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        aria-label={t('geo:search.results')}
        className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card"
      >
        {search.places.map((found, index) => (
          // The keyboard stays in the box above, which names the active option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={found.id}
            id={search.optionId(index)}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
            role="option"
            tabIndex={-1}
            aria-selected={index === search.active}
            onClick={() => onChosen(found)}
            className={classes(
              'flex min-h-14 cursor-pointer items-center gap-3 px-4 py-2.5 transition-colors duration-150 hover:bg-page active:bg-line',
              index === search.active && 'bg-page',
            )}
          >
            <RowContent
              leading={<PlaceIcon kind={found.kind} category={found.category} />}
              title={found.name}
              detail={[found.detail, away(found)].filter((part) => part !== '').join(' · ')}
            />
          </div>
        ))}
      </div>
    </>
  );
}

function NothingFound({ text, onPickOnMap }: { text: string; onPickOnMap: (() => void) | undefined }) {
  const { t } = useTranslation('geo');
  return (
    <EmptyState
      icon={<SearchX />}
      title={t('search.nothing', { text })}
      text={t('search.nothingText')}
      action={
        onPickOnMap && (
          <Button tone="quiet" small onClick={onPickOnMap}>
            {t('pickOnMap')}
          </Button>
        )
      }
    />
  );
}
