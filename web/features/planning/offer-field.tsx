import { useTranslation } from 'react-i18next';
import { Field } from '../../ui/field.tsx';
import { MoneyField } from '../../ui/inputs.tsx';
import { useOfferAdvice } from './use-price-advice.ts';
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
  const advice = useOfferAdvice(quote);
  return (
    <div id="field-offerCents">
      <Field label={t('planning:offer.label')} note={t('common:optional')} error={error} hint={advice}>
        <MoneyField cents={cents} placeholder={t('planning:offer.open')} onChange={onChange} />
      </Field>
    </div>
  );
}
