import { useTranslation } from 'react-i18next';
import type { Booking } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { PriceLines } from '../../../domain/money/price-lines.tsx';

/**
 * What a passenger who was on board of a ride that ended on the way has ridden, and what it comes to;
 * nothing for others.
 */
export function InterruptedShare({ booking, titled = true }: { booking: Booking; titled?: boolean }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const { broken, fareCents } = booking;
  if (broken === null) return null;
  const { kind, place, source, riddenMetres, routeMetres, shareCents, settledCents, note } = broken;
  const due = settledCents ?? shareCents;
  const lines = [
    { label: t('broken.whole'), cents: fareCents },
    { label: t('broken.notRidden'), cents: shareCents - fareCents },
    ...(due < shareCents ? [{ label: t('broken.takenOff'), cents: due - shareCents }] : []),
    { label: t(settledCents === null ? 'broken.due' : 'broken.settled'), cents: due, total: true },
  ];
  return (
    <section aria-label={t('broken.label')} className="flex flex-col gap-2">
      {titled && <h3 className="text-body font-semibold">{t(`broken.title.${kind}`)}</h3>}
      <p className="text-body text-ink-2">
        {t('broken.ridden', {
          ridden: format.distance(riddenMetres),
          way: format.distance(routeMetres),
          place,
        })}{' '}
        {source === 'stop' && t('broken.byStop')}
      </p>
      {fareCents > 0 && (
        <PriceLines
          lines={lines.filter(({ cents, total }) => total === true || cents !== 0)}
          note={note === '' ? undefined : t('broken.note', { note })}
        />
      )}
    </section>
  );
}
