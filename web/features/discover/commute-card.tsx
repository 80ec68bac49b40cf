import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';
import type { PopularWay } from '#contract/discover/endpoints.ts';
import { useWeekdays } from '../../core/use-weekdays.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { classes } from '../../ui/classes.ts';
import { Card } from '../../ui/surfaces.tsx';

/** A commute that many travel: how many, when, from where to where; a tap on it shows it on the map. */
export function CommuteCard({
  commute,
  chosen,
  onChoose,
  children,
}: {
  commute: PopularWay;
  /** It is the one that the map shows. */
  chosen: boolean;
  onChoose?: () => void;
  /** What can be done about it. */
  children: ReactNode;
}) {
  const { t } = useTranslation('discover');
  const weekdays = useWeekdays();
  const format = useFormat();
  const { from, to, people, drivers, passengers, fromTime, toTime } = commute;
  const facts = (
    <span className="flex flex-col gap-2 text-left">
      <span className="flex items-center justify-between gap-2">
        <span className="inline-flex items-center gap-2 text-lead font-semibold">
          <Users aria-hidden className="size-5 text-brand-ink" />
          {t('ways.people', { count: people })}
        </span>
        {commute.mine && (
          <StateChip tone="brand" icon={null}>
            {t('ways.mine')}
          </StateChip>
        )}
      </span>
      <span className="figures text-body text-ink-2">
        {t('ways.times', {
          days: weekdays(commute.days),
          from: format.clockTime(fromTime),
          to: format.clockTime(toTime),
        })}
      </span>
      <PlacesLines from={from} to={to} area />
      <span className="text-small text-ink-3">
        {[
          drivers > 0 ? t('ways.drivers', { count: drivers }) : '',
          passengers > 0 ? t('ways.passengers', { count: passengers }) : '',
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </span>
    </span>
  );
  const label = t('ways.label', { from: from.name, to: to.name, days: weekdays(commute.days) });
  return (
    <article aria-label={label}>
      <Card className={classes('flex flex-col gap-3', chosen && 'ring-2 ring-brand-ink ring-inset')}>
        {onChoose === undefined ? (
          facts
        ) : (
          <button
            type="button"
            aria-pressed={chosen}
            className="-m-2 rounded-small p-2 transition-colors duration-150 hover:bg-page"
            onClick={onChoose}
          >
            {facts}
            <span className="sr-only">{t('ways.show')}</span>
          </button>
        )}
        {children}
      </Card>
    </article>
  );
}
