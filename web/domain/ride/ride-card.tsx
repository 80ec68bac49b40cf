import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StateLabel } from '#contract/rides/moves.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { PersonLine } from '../person/person-line.tsx';
import { PlacesLines } from '../place/places-lines.tsx';
import { PriceTag } from '../money/price-lines.tsx';
import { StateChip } from './state-chip.tsx';

export interface RideCardProps {
  /** When the ride leaves or picks me up; for a request with `until`, the start of the window. */
  at: string;
  /** When it arrives or drops me off. */
  arrivesAt?: string | undefined;
  /** The end of a request's pick-up window. */
  until?: string | undefined;
  timeZone: string;
  from: { name: string; detail: string };
  to: { name: string; detail: string };
  /** Who it is about; left out on one's own card. */
  person?: Person | undefined;
  personDetail?: ReactNode;
  price: ComponentProps<typeof PriceTag> | null;
  /** One line of why, joined with dots: "4 min detour", "3 min walk", "2 seats left". */
  facts?: readonly string[];
  label?: StateLabel | undefined;
  /** A word at the top beside the time: "You drive". */
  kicker?: string | undefined;
  /** Stands out at the bottom: "2 people ask to join". */
  news?: string | undefined;
  /** Buttons at the bottom of the card. */
  children?: ReactNode;
}

/**
 * A ride or request in a list: times big, from → to, who, price, one line of why. Wrap it in CardLink to make
 * it a link.
 */
export function RideCard({
  at,
  arrivesAt,
  until,
  timeZone,
  from,
  to,
  person,
  personDetail,
  price,
  facts = [],
  label,
  kicker,
  news,
  children,
}: RideCardProps) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const end = arrivesAt ?? until;
  return (
    <span className="flex flex-col gap-3 rounded-control bg-surface p-4 shadow-card">
      {(kicker !== undefined || label !== undefined) && (
        <span className="flex items-center justify-between gap-2">
          <span className="text-small font-semibold text-ink-2">{kicker}</span>
          {label !== undefined && <StateChip label={label} />}
        </span>
      )}
      <span className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <span>
          <span className="block text-small text-ink-2">{format.day(at, timeZone)}</span>
          <span className="figures block text-heading font-semibold whitespace-nowrap">
            {format.timeOfDay(at, timeZone)}
            {end !== undefined && (
              <>
                <span aria-hidden className="px-1 font-normal text-ink-3">
                  {arrivesAt === undefined ? '–' : '→'}
                </span>
                <span className="sr-only">{t(arrivesAt === undefined ? 'card.until' : 'card.arrives')}</span>
                {format.timeOfDay(end, timeZone)}
              </>
            )}
          </span>
        </span>
        {price && <PriceTag {...price} />}
      </span>
      <PlacesLines from={from} to={to} timeZone={timeZone} />
      {person && <PersonLine person={person} detail={personDetail} size={36} />}
      {facts.length > 0 && <span className="text-small text-ink-2">{facts.join(' · ')}</span>}
      {news !== undefined && (
        <span className="rounded-small bg-brand-soft px-3 py-2 text-small font-semibold text-brand-ink">
          {news}
        </span>
      )}
      {children}
    </span>
  );
}

/** A card that opens a ride's or request's page. */
export function CardLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      to="/pages/order/detail"
      search={{ id }}
      className="block rounded-control transition-transform duration-150 active:scale-[0.99]"
    >
      {children}
    </Link>
  );
}
