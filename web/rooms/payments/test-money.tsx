import { useTranslation } from 'react-i18next';
import { useMoneyTerms } from '../../base/money-terms.ts';
import { Banner } from '../../ui/surfaces.tsx';

const testCards = [
  ['4242 4242 4242 4242', 'works'],
  ['4000 0027 6000 3184', 'asks'],
  ['4000 0000 0000 9995', 'declined'],
  ['4000 0000 0000 0341', 'declinedLater'],
] as const;

/** Says that no money is real here, and which cards one may use. Nothing where real cards are taken. */
export function TestMoney() {
  const { t } = useTranslation('payments');
  if (useMoneyTerms()?.provider !== 'sandbox') return null;
  return (
    <div className="print:hidden">
      <Banner kind="test">
        <p className="font-semibold">{t('test.title')}</p>
        <details>
          <summary className="flex min-h-11 items-center font-semibold underline underline-offset-4">
            {t('test.cards')}
          </summary>
          <ul className="flex flex-col gap-1 pb-1">
            {testCards.map(([number, what]) => (
              <li key={number}>
                <span className="figures font-semibold whitespace-nowrap">{number}</span> {t(`test.${what}`)}
              </li>
            ))}
          </ul>
          <p className="pb-1 text-small">{t('test.how')}</p>
        </details>
      </Banner>
    </div>
  );
}
