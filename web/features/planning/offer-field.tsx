import { useTranslation } from 'react-i18next';
import { minimumOfferCents } from '#contract/rides/lowest-prices.ts';
import { useFormat } from '../../core/use-format.ts';
import { Field } from '../../ui/field.tsx';
import { MoneyField } from '../../ui/inputs.tsx';
import { useAdvice } from './price-fields.tsx';
import type { Quote } from './use-planned-route.ts';

/** What a passenger would pay per person at most; empty leaves it open. */
export function OfferField({
  cents,
  quote,
  error,
  onChange,
}: {
  cents: number | null;
  quote: Quote | null;
  error: string | undefined;
  onChange: (cents: number | null) => void;
}) {
  const { t } = useTranslation(['planning', 'common']);
  const format = useFormat();
  const advice = useAdvice(quote);
  return (
    <div id="field-offerCents">
      <Field
        label={t('planning:offer.label')}
        note={t('common:optional')}
        error={error}
        hint={
          <>
            {advice !== '' && <span className="block text-ink-2">{advice}</span>}
            <span className="block">
              {t('planning:offer.hint', { amount: format.money(minimumOfferCents) })}
            </span>
          </>
        }
      >
        <MoneyField cents={cents} placeholder={t('planning:offer.open')} onChange={onChange} />
      </Field>
    </div>
  );
}
