import { useTranslation } from 'react-i18next';
import { useFormat } from '../../base/use-format.ts';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { MoneyField } from '../../ui/inputs.tsx';
import type { DriverDraft } from './draft.ts';
import { pricingOf, type PriceChoice } from './pricing.ts';
import type { Quote } from './use-way.ts';

/** Advised share, and the range others ask, in words. */
export function useAdvice(quote: Quote | null): string {
  const { t } = useTranslation('planning');
  const format = useFormat();
  if (quote === null) return '';
  const advised = t('price.advised', { amount: format.money(quote.advisedShareCents) });
  if (quote.askedLowCents === null || quote.askedHighCents === null) return advised;
  const [low, high] = [format.money(quote.askedLowCents), format.money(quote.askedHighCents)];
  return `${advised} · ${t('price.asked', { range: low === high ? low : `${low}–${high}` })}`;
}

/** Free, per person or per car; the advice and the minimum stand beside the amount before they bite. */
export function PriceFields({
  draft,
  quote,
  error,
  onChange,
}: {
  draft: DriverDraft;
  quote: Quote | null;
  error: string | undefined;
  onChange: (part: Pick<DriverDraft, 'price' | 'costCents'>) => void;
}) {
  const { t } = useTranslation('planning');
  const advice = useAdvice(quote);
  const { kind, costCents } = pricingOf(draft, quote);
  return (
    <div className="flex flex-col gap-3">
      <SegmentedControl<PriceChoice>
        label={t('price.label')}
        value={kind}
        options={[
          { value: 'free', label: t('price.free') },
          { value: 'perPerson', label: t('price.perPerson') },
          { value: 'perCar', label: t('price.perCar') },
        ]}
        onChange={(price) => onChange({ price, costCents: null })}
      />
      {kind === 'free' ? (
        <p className="text-small text-ink-2">{[advice, t('price.freeHint')].filter(Boolean).join(' · ')}</p>
      ) : (
        <div id="field-costCents">
          <Field
            label={t(kind === 'perCar' ? 'price.amountPerCar' : 'price.amountPerPerson')}
            error={error}
            hint={
              <>
                {advice !== '' && <span className="block text-ink-2">{advice}</span>}
                <span className="block">{t('price.minimum')}</span>
                {kind === 'perCar' && <PerCarShares costCents={costCents} seats={draft.seats} />}
              </>
            }
          >
            <MoneyField
              cents={draft.costCents ?? costCents}
              onChange={(cents) => onChange({ price: kind, costCents: cents ?? 0 })}
            />
          </Field>
        </div>
      )}
    </div>
  );
}

/** What each pays as the car fills. */
function PerCarShares({ costCents, seats }: { costCents: number; seats: number }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  return (
    <span className="figures block">
      {t('price.shared', { alone: format.money(costCents) })}
      {seats > 1 &&
        ` ${t('price.sharedFull', { count: seats, amount: format.money(Math.ceil(costCents / seats)) })}`}
    </span>
  );
}
