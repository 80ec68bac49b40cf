import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';
import { classes } from '../../ui/classes.ts';
import type { ShareIs } from '#contract/rides/share.ts';

export interface PriceLine {
  label: string;
  /** Whole cents; zero is written as "Free". */
  cents: number;
  /** The least it may come to; left out where it is known. */
  leastCents?: number;
  /** The sum at the end. */
  total?: boolean;
}

/** Every amount broken down before it is agreed to, and one line on how the money changes hands. */
export function PriceLines({ lines, note }: { lines: readonly PriceLine[]; note?: ReactNode }) {
  const range = useRange();
  return (
    <div className="flex flex-col gap-2">
      <dl className="flex flex-col gap-1.5">
        {lines.map((line) => (
          <div
            key={line.label}
            className={classes(
              'flex items-baseline justify-between gap-4',
              line.total === true ? 'text-lead font-semibold' : 'text-body text-ink-2',
            )}
          >
            <dt>{line.label}</dt>
            <dd className="figures shrink-0">{range(line.leastCents ?? line.cents, line.cents)}</dd>
          </div>
        ))}
      </dl>
      {note && <p className="text-small text-ink-3">{note}</p>}
    </div>
  );
}

/** Cents as a person reads them: `$12.00`, or "Free" for nothing. */
export function useAmount(): (cents: number) => string {
  const { t } = useTranslation('rides');
  const format = useFormat();
  return (cents) => (cents === 0 ? t('price.free') : format.money(cents));
}

/** What something comes to, at least and at most; one amount where they are the same. */
export function useRange(): (leastCents: number, mostCents: number) => string {
  const amount = useAmount();
  const format = useFormat();
  return (leastCents, mostCents) =>
    leastCents < mostCents ? `${format.money(leastCents)}–${format.money(mostCents)}` : amount(mostCents);
}

/** The price on a card: the number big, what it is for under it. */
export function PriceTag({
  cents,
  leastCents,
  kind,
}: {
  /** Null where the passenger leaves the price open. */
  cents: number | null;
  /**
   * `exact`, `upTo` and `paid` are my whole share as a passenger; `pays` theirs; `offer` what a passenger
   * offers per person.
   */
  kind: 'perPerson' | 'perCar' | ShareIs | 'pays' | 'offer';
  /** The least that a share may come to; left out where it is known. */
  leastCents?: number;
}) {
  const { t } = useTranslation('rides');
  const range = useRange();
  const least = leastCents ?? cents ?? 0;

  return (
    <span className="ml-auto flex shrink-0 flex-col items-end text-right">
      <span className="figures text-heading font-semibold">
        {cents === null ? t('price.open') : range(least, cents)}
      </span>
      {cents !== null && cents !== 0 && (
        <span className="text-small text-ink-3">{t(`price.tag.${kind}`)}</span>
      )}
    </span>
  );
}
