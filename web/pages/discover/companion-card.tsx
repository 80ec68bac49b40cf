import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Companion } from '#contract/discover/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { useWeekdays } from '../../core/use-weekdays.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { PersonLine } from '../../domain/person/person-line.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Card } from '../../ui/surfaces.tsx';

/** A person with the same commute: on which days, when, about where; and how to come together. */
export function CompanionCard({
  companion,
  chosen,
}: {
  companion: Companion;
  /** It is the one whose pin was tapped. */
  chosen: boolean;
}) {
  const { t } = useTranslation('discover');
  const format = useFormat();
  const weekdays = useWeekdays();
  const { person, role, days, time, detourMinutes, isContact, next, from, to } = companion;
  const facts = [
    t(`company.${role}`),
    detourMinutes === 0
      ? t('company.noDetour')
      : t('company.detour', { time: format.duration(detourMinutes * 60) }),
    ...(isContact ? [t('company.contact')] : []),
  ];
  return (
    <article aria-label={t('company.label', { name: person.name })}>
      <Card className={classes('flex flex-col gap-3', chosen && 'ring-2 ring-brand-ink ring-inset')}>
        <PersonLine person={person} />
        <p className="figures text-lead font-semibold text-brand-ink">
          {t('company.same', { days: weekdays(days), time: format.clockTime(time) })}
        </p>
        <PlacesLines from={from} to={to} area />
        <p className="text-small text-ink-2">{facts.join(' · ')}</p>
        <div className="flex flex-wrap gap-2">
          {next !== null && (
            <Link
              to="/pages/order/detail"
              search={{ id: next.orderId }}
              className={classes(buttonVariants({ small: true }), 'flex-auto text-center')}
            >
              {t(`company.next.${role}`, { day: format.dayInSentence(next.at, next.timeZone) })}
            </Link>
          )}
          <Link
            to="/pages/contact/user"
            search={{ id: person.id }}
            className={classes(
              buttonVariants({ tone: next === null ? 'primary' : 'quiet', small: true }),
              'flex-auto text-center',
            )}
          >
            {isContact ? t('company.see') : t('company.add')}
          </Link>
        </div>
      </Card>
    </article>
  );
}
