import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { PaymentTruth } from '../../rooms/people/payment-truth.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** How to set up being paid: nothing to do, passengers pay in cash. */
export function Page() {
  const { t } = useTranslation('people');
  return (
    <Frame title={usePageTitle()} back>
      <PaymentTruth
        heading={t('payments.setupHeading')}
        text={t('payments.setupText')}
        action={
          <Link to="/" className={buttonLook({ full: true })}>
            {t('payments.plan')}
          </Link>
        }
      />
    </Frame>
  );
}
