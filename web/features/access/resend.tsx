import { Link } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../core/clock.ts';
import { useConfig } from '../../core/config.ts';
import { TextButton } from '../../ui/button.tsx';

/** Another code once the minute is over, and in a demo the way to the emails. */
export function ResendCode({
  resendAt,
  busy,
  onResend,
}: {
  resendAt: number;
  busy: boolean;
  onResend: () => void;
}) {
  const { t } = useTranslation('access');
  const { data: config } = useConfig();
  const seconds = Math.ceil((resendAt - useNow(1000)) / 1000);
  return (
    <div className="-ml-1 flex flex-col items-start gap-1">
      <TextButton disabled={seconds > 0 || busy} onClick={onResend}>
        <span className="figures">{seconds > 0 ? t('code.resendIn', { seconds }) : t('code.resend')}</span>
      </TextButton>
      {config?.mailOutbox === true && (
        <Link
          to="/pages/demo/outbox"
          className="inline-flex min-h-11 items-center gap-2 rounded-small px-1 font-semibold text-brand-ink underline-offset-4 hover:underline"
        >
          <Mail aria-hidden className="size-5" />
          {t('code.outbox')}
        </Link>
      )}
    </div>
  );
}
