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
  timeZone,
  big = false,
}: {
  from: PlaceWords;
  /** Stops of the driver's own on the way. */
  via?: readonly PlaceWords[];
  to: PlaceWords;
  fromAt?: string | undefined;
  toAt?: string | undefined;
  timeZone: string;
  /** Shows the second part of each address too, for a ride's own page. */
  big?: boolean;
}) {
  const { t } = useTranslation('rides');
  return (
    <span className="flex flex-col">
      <PlaceLine word={t('place.from')} place={from} at={fromAt} timeZone={timeZone} big={big} kind="from" />
      {via.map((stop, index) => (
        <PlaceLine
          key={`${index} ${stop.name}`}
          word={t('place.via')}
          place={stop}
          at={undefined}
          timeZone={timeZone}
          big={big}
          kind="via"
        />
      ))}
      <PlaceLine word={t('place.to')} place={to} at={toAt} timeZone={timeZone} big={big} kind="to" />
    </span>
  );
}

function PlaceLine({
  word,
  place,
  at,
  timeZone,
  big,
  kind,
}: {
  word: string;
  place: PlaceWords;
  at: string | undefined;
  timeZone: string;
  big: boolean;
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
