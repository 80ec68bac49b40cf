import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { netOfCar, netPerPerson } from '#contract/rides/driver-net.ts';
import { lowestPriceCents } from '#contract/rides/lowest-prices.ts';
import { useMoneyTerms } from '../../domain/money/money-terms.ts';
import { useRange } from '../../domain/money/price-lines.tsx';
import { useFormat } from '../../core/use-format.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { MoneyField } from '../../ui/inputs.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import type { PlanValues } from './plan-values.ts';
import { usePriceAdvice } from './use-price-advice.ts';
import { pricingOf, type PriceChoice } from './pricing.ts';
import type { Quote } from './use-planned-route.ts';

/** Free, per person or per car; the advice and the minimum are next to the amount before they bite. */
export function PriceFields({
  draft,
  quote,
  canBePaid,
  error,
  onChange,
}: {
  draft: PlanValues;
  quote: Quote | null;
  /** Whether the driver's payment account takes money; null while that is not known. */
  canBePaid: boolean | null;
  error: string | undefined;
  onChange: (part: Pick<PlanValues, 'price' | 'costCents'>) => void;
}) {
  const { t } = useTranslation(['planning', 'payments']);
  const advice = usePriceAdvice('driver', quote);
  const takesCards = useMoneyTerms()?.takesCards !== false;
  const { kind, costCents } = pricingOf(draft, quote, canBePaid);
  return (
    <div className="flex flex-col gap-3">
      <SegmentedControl<PriceChoice>
        label={t('planning:price.label')}
        value={kind}
        options={[
          { value: 'free', label: t('planning:price.free') },
          ...(takesCards
            ? ([
                { value: 'perPerson', label: t('planning:price.perPerson') },
                { value: 'perCar', label: t('planning:price.perCar') },
              ] as const)
            : []),
        ]}
        onChange={(price) => onChange({ price, costCents: null })}
      />
      {!takesCards && <Banner kind="info">{t('planning:price.cardsOff')}</Banner>}
      {kind === 'free' ? (
        <p className="text-small text-ink-2">
          {[advice, t('planning:price.freeHint')].filter(Boolean).join(' ')}
        </p>
      ) : (
        <div id="field-costCents">
          <Field
            label={t(kind === 'perCar' ? 'planning:price.amountPerCar' : 'planning:price.amountPerPerson')}
            error={error}
            hint={<PriceHint kind={kind} costCents={costCents} seats={draft.seats} advice={advice} />}
          >
            <MoneyField
              cents={draft.costCents ?? costCents}
              onChange={(cents) => onChange({ price: kind, costCents: cents ?? 0 })}
            />
          </Field>
        </div>
      )}
      {/* The field says it once the price was to be published. */}
      {kind !== 'free' && canBePaid === false && <NeedsAccount isSaid={error !== undefined} />}
      {takesCards && kind === 'free' && canBePaid === false && (
        <Link
          to="/pages/references/stripeSetup"
          className="inline-flex min-h-11 items-center self-start font-semibold text-brand-ink underline-offset-4 hover:underline"
        >
          {t('payments:price.setUp')}
        </Link>
      )}
    </div>
  );
}

/** What is advised and the least that is allowed, and what becomes of the price. */
function PriceHint({
  kind,
  costCents,
  seats,
  advice,
}: {
  kind: 'perPerson' | 'perCar';
  costCents: number;
  seats: number;
  advice: string;
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  return (
    <>
      {advice !== '' && <span className="block text-ink-2">{advice}</span>}
      <span className="block">
        {t('price.minimum', { amount: format.money(lowestPriceCents({ priceKind: kind, seats })) })}
      </span>
      <Net kind={kind} costCents={costCents} seats={seats} />
      {kind === 'perCar' && <PerCarShares costCents={costCents} seats={seats} />}
    </>
  );
}

/** The driver's part of the price, with any passengers. */
function Net({ kind, costCents, seats }: { kind: 'perPerson' | 'perCar'; costCents: number; seats: number }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const range = useRange();
  const terms = useMoneyTerms();
  if (terms === undefined || costCents <= 0) return null;
  const net = (kind === 'perPerson' ? netPerPerson : netOfCar)({ costCents, seats }, terms);
  return (
    <span className="figures block font-semibold text-ink-2">
      {t(kind === 'perPerson' ? 'price.netEach' : 'price.net', {
        net: range(net.leastCents, net.mostCents),
        gross: format.money(costCents),
      })}
    </span>
  );
}

/** A price needs an account that can take it; the plan stays stored while it is set up. */
function NeedsAccount({ isSaid }: { isSaid: boolean }) {
  const { t } = useTranslation('payments');
  return (
    <>
      {!isSaid && <Banner kind="warn">{t('price.needsAccount')}</Banner>}
      <Link
        to="/pages/references/stripeSetup"
        className={buttonVariants({ small: true, tone: 'quiet', full: true })}
      >
        {t('price.setUp')}
      </Link>
    </>
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
