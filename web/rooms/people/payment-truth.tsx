import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonLook } from '../../ui/button.tsx';

/** How paying works on this server, the facts below it, and where the rules stand. */
export function PaymentTruth({
  heading,
  text,
  action,
  children,
}: {
  heading: string;
  text: string;
  /** The one next step, before the way to the rules. */
  action?: ReactNode;
  children?: ReactNode;
}) {
  const { t } = useTranslation('people');
  return (
    <>
      <div className="flex flex-col gap-2 pt-2">
        <h2 className="text-heading">{heading}</h2>
        <p className="text-body text-ink-2">{text}</p>
      </div>
      {children}
      <div className="flex flex-col gap-2">
        {action}
        <Link to="/pages/legal/payment" className={buttonLook({ tone: 'quiet', full: true })}>
          {t('payments.rules')}
        </Link>
      </div>
    </>
  );
}
