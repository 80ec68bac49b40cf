import { ChevronDown, FlaskConical } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMoneyTerms } from '../../domain/money/money-terms.ts';

const testCards = [
  ['4242 4242 4242 4242', 'works'],
  ['4000 0027 6000 3184', 'asks'],
  ['4000 0000 0000 9995', 'declined'],
  ['4000 0000 0000 0341', 'declinedLater'],
] as const;

/**
 * Says that no money is real here, and opens to the cards one may use. Nothing where real cards are taken.
 */
export function TestMoney() {
  const { t } = useTranslation('payments');
  if (useMoneyTerms()?.provider !== 'sandbox') return null;
  return (
    <details className="group rounded-control bg-warn-soft text-body text-warn print:hidden">
      <summary className="flex min-h-11 list-none items-center gap-3 px-4 py-2 font-semibold [&::-webkit-details-marker]:hidden">
        <FlaskConical aria-hidden className="size-5 shrink-0" />
        <span className="min-w-0 flex-1">{t('test.title')}</span>
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="flex flex-col gap-2 px-4 pb-3">
        <p>{t('test.cards')}</p>
        <ul className="flex flex-col gap-1">
          {testCards.map(([number, what]) => (
            <li key={number}>
              <span className="figures font-semibold whitespace-nowrap">{number}</span> {t(`test.${what}`)}
            </li>
          ))}
        </ul>
        <p className="text-small">{t('test.how')}</p>
      </div>
    </details>
  );
}
