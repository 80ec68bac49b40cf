import { useTranslation } from 'react-i18next';
import { useNow } from '../../core/clock.ts';
import { useFormat } from '../../core/use-format.ts';

/** How long the seat stays reserved for the passenger who has to pay, by the server's clock. */
export function TimeToPay({ at }: { at: string }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const left = Date.parse(at) - useNow(10_000);
  return (
    <p className="figures text-small font-semibold text-warn">
      {left <= 0
        ? t('booking.timeOver')
        : t('booking.timeLeft', { time: format.duration(Math.max(60, Math.floor(left / 1000))) })}
    </p>
  );
}
