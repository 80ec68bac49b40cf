import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { PaymentTruth } from '../../rooms/people/payment-truth.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';

/** Where connecting a payment account would end: none is needed here. */
export function Page() {
  const { t } = useTranslation('people');
  return (
    <Frame title={usePageTitle()} back>
      <PaymentTruth
        heading={t('payments.accountHeading')}
        text={t('payments.accountText')}
        action={
          <Link to="/pages/account/payments" className={buttonLook({ full: true })}>
            {t('payments.toPayments')}
          </Link>
        }
      />
    </Frame>
  );
}
