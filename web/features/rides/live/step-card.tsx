import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../core/use-format.ts';

/** Where things stand on the day of a ride: one sentence, the place it is about, and the planned time. */
export function StepCard({
  title,
  text,
  place,
  at,
  expectedAt,
  timeZone,
  children,
}: {
  title: string;
  text?: ReactNode;
  place?: { name: string; detail: string } | undefined;
  at?: string | undefined;
  /** When the car gets there by the roads, from where it is now. */
  expectedAt?: string | undefined;
  timeZone: string;
  children?: ReactNode;
}) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const differs =
    expectedAt !== undefined &&
    at !== undefined &&
    format.timeOfDay(expectedAt, timeZone) !== format.timeOfDay(at, timeZone);
  return (
    <section aria-live="polite" className="flex flex-col gap-3">
      <div>
        <h2 className="text-heading">{title}</h2>
        {text && <p className="pt-1 text-body text-ink-2">{text}</p>}
      </div>
      {place && (
        <div className="flex items-start justify-between gap-4 rounded-control bg-page px-4 py-3">
          <p className="min-w-0">
            <span className="block text-lead font-semibold break-words">{place.name}</span>
            {place.detail !== '' && <span className="block text-small text-ink-3">{place.detail}</span>}
          </p>
          {at !== undefined && (
            <p className="figures shrink-0 text-right">
              <span className="block text-lead font-semibold">
                <span className="sr-only">
                  {t(expectedAt === undefined ? 'step.planned' : 'step.expected')}{' '}
                </span>
                {format.timeOfDay(expectedAt ?? at, timeZone)}
              </span>
              <span className="block text-small text-ink-3">{format.relative(expectedAt ?? at)}</span>
              {differs && (
                <span className="block text-small text-ink-3">
                  {t('step.plannedAt', { time: format.timeOfDay(at, timeZone) })}
                </span>
              )}
            </p>
          )}
        </div>
      )}
      {children}
    </section>
  );
}
