import { Link } from '@tanstack/react-router';
import { CalendarSync } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listSeries, seriesDetail, type Series } from '#contract/rides/recurring.ts';
import { useCall } from '../../../core/queries.ts';
import { PartView } from '../../../core/query-view.tsx';
import { useFormat } from '../../../core/use-format.ts';
import { List, RowContent, rowVariants, Section } from '../../../ui/surfaces.tsx';
import { nextDay, useRecurringWords } from './recurring-words.ts';

/** My series above the list of rides; nothing while there is none. */
export function RecurringCards({ role }: { role?: 'driver' | 'passenger' | undefined }) {
  const { t } = useTranslation('recurring');
  const all = useCall(listSeries, {}, { quiet: true });
  return (
    <PartView query={all} failed={t('card.failed')}>
      {({ series }) => {
        const shown = series.filter((each) => role === undefined || each.role === role);
        if (shown.length === 0) return null;
        return (
          <Section title={t('card.title')}>
            <List label={t('card.title')}>
              {shown.map((each) => (
                <li key={each.id}>
                  <SeriesLink series={each} />
                </li>
              ))}
            </List>
          </Section>
        );
      }}
    </PartView>
  );
}

function SeriesLink({ series }: { series: Series }) {
  const { t } = useTranslation('recurring');
  const format = useFormat();
  const words = useRecurringWords();
  const next = nextDay(series);
  const trouble = series.days.filter(({ state }) => state === 'refused').length;
  const { from, to } = series.order;
  return (
    <Link to="/pages/order/series" search={{ id: series.id }} className={rowVariants}>
      <RowContent
        leading={<CalendarSync aria-hidden className="size-6 text-ink-2" />}
        title={words(series)}
        detail={[
          `${from.name} → ${to.name}`,
          t(series.role === 'driver' ? 'card.driver' : 'card.passenger'),
          next === undefined
            ? t('card.nothing')
            : t('card.next', { when: format.dayInSentence(next.at, series.timeZone) }),
          ...(trouble > 0 ? [t('card.trouble', { count: trouble })] : []),
        ].join(' · ')}
        chevron
      />
    </Link>
  );
}

/** On the page of one day: the series it belongs to. */
export function PartOfRecurring({ recurringId }: { recurringId: string }) {
  const { t } = useTranslation('recurring');
  const words = useRecurringWords();
  const detail = useCall(seriesDetail, { id: recurringId }, { quiet: true });
  return (
    <PartView query={detail} failed={t('page.failed')}>
      {({ series }) => (
        <List label={t('part')}>
          <li>
            <Link to="/pages/order/series" search={{ id: recurringId }} className={rowVariants}>
              <RowContent
                leading={<CalendarSync aria-hidden className="size-6 text-ink-2" />}
                title={t('part')}
                detail={words(series)}
                chevron
              />
            </Link>
          </li>
        </List>
      )}
    </PartView>
  );
}
