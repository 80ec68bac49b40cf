import { useTranslation } from 'react-i18next';
import { useNow } from '../../core/clock.ts';
import { useFormat } from '../../core/use-format.ts';

/** How long an ask or invitation still waits for its answer, by the server's clock. */
export function ExpiresIn({ at }: { at: string }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const left = Date.parse(at) - useNow(10_000);
  const soon = left < 15 * 60_000;
  return (
    <span className={soon ? 'text-small font-semibold text-warn' : 'text-small text-ink-3'}>
      {left <= 0
        ? t('ask.over')
        : t('ask.expires', { time: format.duration(Math.max(60, Math.floor(left / 1000))) })}
    </span>
  );
}

/** Minutes and seconds until an instant, `4:05`; null once it has passed. */
export function useTimeLeft(at: string | null): string | null {
  const now = useNow(1000);
  if (at === null) return null;
  const seconds = Math.ceil((Date.parse(at) - now) / 1000);
  if (seconds <= 0) return null;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
