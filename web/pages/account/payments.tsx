import { Banknote, HandCoins, HeartHandshake } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../base/navigation.ts';
import { PaymentTruth } from '../../rooms/people/payment-truth.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { List, ListRow } from '../../ui/surfaces.tsx';

const facts = [
  ['cost', HandCoins],
  ['cash', Banknote],
  ['free', HeartHandshake],
] as const;

/** Payments: rides are free or paid in cash. */
export function Page() {
  const { t } = useTranslation('people');
  return (
    <Frame title={usePageTitle()} back>
      <PaymentTruth heading={t('payments.heading')} text={t('payments.text')}>
        <List>
          {facts.map(([fact, Icon]) => (
            <ListRow
              key={fact}
              leading={<Icon aria-hidden className="text-brand-ink" />}
              title={t(`payments.${fact}`)}
              detail={t(`payments.${fact}Text`)}
            />
          ))}
        </List>
      </PaymentTruth>
    </Frame>
  );
}
