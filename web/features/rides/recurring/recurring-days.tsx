import { Link } from '@tanstack/react-router';
import { CalendarCheck, CalendarClock, CalendarOff, CalendarX, Users, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { skipDay, type Series } from '#contract/rides/recurring.ts';
import { useAction } from '../../../core/queries.ts';
import { useFormat } from '../../../core/use-format.ts';
import { TextButton } from '../../../ui/button.tsx';
import { Card, Section } from '../../../ui/surfaces.tsx';
import { classes } from '../../../ui/classes.ts';
import { toast } from '../../../ui/toasts.tsx';

type Day = Series['days'][number];

const icons: Record<Day['state'], LucideIcon> = {
  planned: CalendarClock,
  open: CalendarCheck,
  matched: Users,
  over: CalendarCheck,
  skipped: CalendarOff,
  canceled: CalendarX,
  refused: CalendarX,
};

/** Every day of a series to come: what has become of it, and leaving it out or taking it in again. */
export function RecurringDays({ series }: { series: Series }) {
  const { t } = useTranslation('recurring');
  const skip = useAction(skipDay, {
    invalidates: ['/order/', '/series/'],
    onDone: ({ series: { days } }, input) => {
      const now = days.find(({ day }) => day === input.day)?.state;
      if (now === 'refused') toast.error(t('page.stillRefused'));
      else toast.done(t(input.skip === false ? 'page.restored' : 'page.skipped'));
    },
  });
  return (
    <Section title={t('page.days')}>
      <Card>
        <ul aria-label={t('page.days')} className="flex flex-col divide-y divide-line">
          {series.days.map((day) => (
            <DayRow
              key={day.day}
              day={day}
              series={series}
              busy={skip.busy}
              onSkip={(on) => skip.run({ id: series.id, day: day.day, skip: on })}
            />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function DayRow({
  day: { at, state, orderId, edited, reason },
  series: { state: seriesState, timeZone },
  busy,
  onSkip,
}: {
  day: Day;
  series: Series;
  busy: boolean;
  onSkip: (skip: boolean) => void;
}) {
  const { t } = useTranslation('recurring');
  const format = useFormat();
  const name = format.day(at, timeZone);
  const Icon = icons[state];
  const isOut = state === 'skipped' || state === 'canceled' || state === 'refused';
  const why = reason === '' ? '' : t(reason === 'order.overlap' ? 'why.overlap' : 'why.other');
  const words = [t(`day.${state}`), ...(edited && !isOut ? [t('day.edited')] : []), ...(why ? [why] : [])];
  const act = isOut ? (state === 'refused' ? 'retry' : 'restore') : 'skip';
  return (
    <li className="flex min-h-14 items-center gap-3 py-2">
      <Icon
        aria-hidden
        className={classes(
          'size-6 shrink-0',
          state === 'refused' ? 'text-danger' : isOut ? 'text-ink-3' : 'text-brand-ink',
        )}
      />
      <span className="min-w-0 flex-1">
        <span className={classes('figures block text-body font-semibold', isOut && 'text-ink-2')}>
          {orderId !== null && !isOut ? (
            <Link
              to="/pages/order/detail"
              search={{ id: orderId }}
              aria-label={t('page.open', { day: name })}
              className="underline-offset-4 hover:underline"
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
        <span className={classes('block text-small', state === 'refused' ? 'text-danger' : 'text-ink-3')}>
          {words.join(' · ')}
        </span>
      </span>
      {seriesState === 'running' && state !== 'matched' && state !== 'over' && (
        <TextButton
          aria-label={t(`page.${act}`, { day: name })}
          disabled={busy}
          onClick={() => onSkip(act === 'skip')}
        >
          {t(`page.${act}Short`)}
        </TextButton>
      )}
    </li>
  );
}
