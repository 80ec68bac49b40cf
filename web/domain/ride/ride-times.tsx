import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';

interface Place {
  name: string;
  detail: string;
}

/** When and where a ride begins and ends: each time next to its place, joined by the line of the route. */
export function RideTimes({
  from,
  to,
  departsAt,
  arrivesAt,
  timeZone,
}: {
  from: Place;
  to: Place;
  departsAt: string;
  arrivesAt: string;
  timeZone: string;
}) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  return (
    <span className="grid min-w-0 flex-1 grid-cols-[auto_auto_minmax(0,1fr)] items-center gap-x-2.5">
      <Time at={departsAt} timeZone={timeZone} />
      <span aria-hidden className="size-3 rounded-full border-[3px] border-ink" />
      <span className="truncate text-body">
        <span className="sr-only">{t('place.from')} </span>
        {from.name}
      </span>
      <span className="figures text-right text-small text-ink-3">{format.between(departsAt, arrivesAt)}</span>
      <span aria-hidden className="-my-1.5 min-h-7 w-0.5 justify-self-center bg-line-2" />
      <span />
      <span className="sr-only">{t('card.arrives')}</span>
      <Time at={arrivesAt} timeZone={timeZone} />
      <span aria-hidden className="size-3 rounded-full bg-ink" />
      <span className="truncate text-body">
        <span className="sr-only">{t('place.to')} </span>
        {to.name}
      </span>
    </span>
  );
}

function Time({ at, timeZone }: { at: string; timeZone: string }) {
  const format = useFormat();
  return (
    <span className="figures text-right text-lead font-semibold whitespace-nowrap">
      {format.timeOfDay(at, timeZone)}
    </span>
  );
}
