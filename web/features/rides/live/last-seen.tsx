import { useTranslation } from 'react-i18next';
import type { CarPosition } from '#contract/trips/endpoints.ts';
import { useNow } from '../../../core/clock.ts';
import { useFormat } from '../../../core/use-format.ts';

/** A car that is under way says where it is several times a minute. */
const oldPositionMs = 90_000;

/** Says how old the car's position is, once that matters. */
export function LastSeen({
  car,
  name,
}: {
  car: CarPosition;
  /** Of the driver; null for themselves. */ name: string | null;
}) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const now = useNow(15_000);
  if (now - Date.parse(car.at) < oldPositionMs) return null;
  const time = format.relative(car.at);
  return (
    <p className="text-small text-ink-2">
      {name === null ? t('car.lastSeenSelf', { time }) : t('car.lastSeen', { name, time })}
    </p>
  );
}
