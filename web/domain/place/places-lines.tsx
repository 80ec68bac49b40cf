import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';
import { classes } from '../../ui/classes.ts';

interface PlaceWords {
  name: string;
  detail: string;
  approximate?: boolean;
}

/**
 * From → to on two lines: a ring and a solid pin joined by a thread, with the times at both ends where they
 * are known.
 */
export function PlacesLines({
  from,
  via = [],
  to,
  fromAt,
  toAt,
  timeZone = 'UTC',
  big = false,
  area = false,
}: {
  from: PlaceWords;
  /** Stops of the driver's own on the way. */
  via?: readonly PlaceWords[];
  to: PlaceWords;
  fromAt?: string | undefined;
  toAt?: string | undefined;
  /** The zone of the times, where there are any. */
  timeZone?: string;
  /** Shows the second part of each address too, for a ride's own page. */
  big?: boolean;
  /** The places are neighborhoods: a screen reader says "from around", and the town follows the name. */
  area?: boolean;
}) {
  const { t } = useTranslation(['rides', 'discover']);
  const words = area
    ? { from: t('discover:area.from'), to: t('discover:area.to') }
    : { from: t('rides:place.from'), to: t('rides:place.to') };
  const shared = { timeZone, big, area };
  return (
    <span className="flex flex-col">
      <PlaceLine word={words.from} place={from} at={fromAt} kind="from" {...shared} />
      {via.map((stop, index) => (
        <PlaceLine
          key={`${index} ${stop.name}`}
          word={t('rides:place.via')}
          place={stop}
          at={undefined}
          kind="via"
          {...shared}
        />
      ))}
      <PlaceLine word={words.to} place={to} at={toAt} kind="to" {...shared} />
    </span>
  );
}

function PlaceLine({
  word,
  place,
  at,
  timeZone,
  big,
  area,
  kind,
}: {
  word: string;
  place: PlaceWords;
  at: string | undefined;
  timeZone: string;
  big: boolean;
  area: boolean;
  kind: 'from' | 'via' | 'to';
}) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const second = [big ? place.detail : '', place.approximate === true && big ? t('place.approximate') : '']
    .filter((part) => part !== '')
    .join(' · ');
  return (
    <span className={classes('relative flex gap-3', kind !== 'to' && (big ? 'pb-4' : 'pb-1.5'))}>
      {kind !== 'to' && (
        <span aria-hidden className="absolute top-4 -bottom-1.5 left-[5px] w-0.5 bg-line-2" />
      )}
      <span
        aria-hidden
        className={classes(
          'relative mt-1.5 size-3 shrink-0 border-ink',
          kind === 'via' ? 'rounded-[3px] border-2' : 'rounded-full border-[3px]',
          kind === 'to' ? 'bg-ink' : 'bg-surface',
        )}
      />
      <span className="min-w-0 flex-1">
        <span className={classes('block', big ? 'text-lead font-semibold' : 'truncate text-body')}>
          <span className="sr-only">{word} </span>
          {place.name}
          {area && place.detail !== '' && <span className="text-ink-3"> · {place.detail}</span>}
        </span>
        {second !== '' && <span className="block text-small text-ink-3">{second}</span>}
      </span>
      {at !== undefined && (
        <span
          className={classes('figures shrink-0', big ? 'text-lead font-semibold' : 'text-body text-ink-2')}
        >
          {format.timeOfDay(at, timeZone)}
        </span>
      )}
    </span>
  );
}
