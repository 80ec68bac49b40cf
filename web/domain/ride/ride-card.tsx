import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { BadgeCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { StateLabel } from '#contract/rides/moves.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { Avatar } from '../../ui/people.tsx';
import { PersonStars } from '../person/person-line.tsx';
import { shortName } from '../person/short-name.ts';
import { PlacesLines } from '../place/places-lines.tsx';
import { cardLink, nameReturning } from './card-transition.ts';
import { PriceTag } from '../money/price-lines.tsx';
import { RideFacts, type RideFact } from './ride-facts.tsx';
import { RideTimes } from './ride-times.tsx';
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
  /** The person it is about; left out on one's own card. */
  person?: Person | undefined;
  price: ComponentProps<typeof PriceTag> | null;
  facts?: readonly RideFact[];
  label?: StateLabel | undefined;
  /** A word at the top, next to the day: "You drive". */
  kicker?: string | undefined;
  /** Prominent at the bottom: "2 people ask to join". */
  news?: string | undefined;
  /**
   * The ride or request whose page a tap on the card opens; a tap on the photo or the name opens the
   * person's. Left out where the whole card is a link already.
   */
  opens?: string | undefined;
  /** Buttons at the bottom of the card. */
  children?: ReactNode;
}

/**
 * A ride or request in a list: its times joined by the line of the route, the price, the person, and its
 * facts. Wrap it in CardLink, or name what it `opens`.
 */
export function RideCard(card: RideCardProps) {
  const { at, timeZone, from, to, person, price, facts = [], label, kicker, news, opens, children } = card;
  const format = useFormat();
  const { t } = useTranslation('rides');
  const time = format.timeOfDay(at, timeZone);
  return (
    <span
      ref={nameReturning(opens)}
      data-opens-ride={opens}
      className="relative flex flex-col gap-2.5 rounded-control bg-surface p-4 shadow-card"
    >
      {opens !== undefined && (
        <Link
          to="/pages/order/detail"
          search={{ id: opens }}
          {...cardLink()}
          aria-label={t('card.open', { time, from: from.name, to: to.name })}
          className="absolute inset-0 rounded-control transition-colors duration-150 hover:bg-ink/3 active:bg-ink/6"
        />
      )}
      <span className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <span className="text-small text-ink-2">
          {kicker !== undefined && <span className="font-semibold text-ink">{kicker} · </span>}
          {format.day(at, timeZone)}
        </span>
        {label !== undefined && <StateChip label={label} />}
      </span>
      <span className="flex items-start justify-between gap-3">
        <CardRoute {...card} />
        {price && <PriceTag {...price} />}
      </span>
      {person && <CardPerson person={person} isLink={opens !== undefined} />}
      <RideFacts facts={facts} />
      {news !== undefined && (
        <span className="rounded-small bg-brand-soft px-3 py-2 text-small font-semibold text-brand-ink">
          {news}
        </span>
      )}
      {children && <span className="relative">{children}</span>}
    </span>
  );
}

/** Both times with their places; a request without a ride has its window above them. */
function CardRoute({ at, arrivesAt, until, timeZone, from, to }: RideCardProps) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  if (arrivesAt !== undefined)
    return <RideTimes from={from} to={to} departsAt={at} arrivesAt={arrivesAt} timeZone={timeZone} />;
  return (
    <span className="flex min-w-0 flex-1 flex-col gap-2">
      <span className="figures text-lead font-semibold">
        {format.timeOfDay(at, timeZone)}
        {until !== undefined && (
          <>
            <span aria-hidden className="px-1 font-normal text-ink-3">
              –
            </span>
            <span className="sr-only">{t('card.until')}</span>
            {format.timeOfDay(until, timeZone)}
          </>
        )}
      </span>
      <PlacesLines from={from} to={to} timeZone={timeZone} />
    </span>
  );
}

/** The person on one line: photo, first name, stars. */
function CardPerson({ person, isLink }: { person: Person; isLink: boolean }) {
  const { t } = useTranslation(['rides', 'common']);
  const name = person.name || t('common:guest');
  const first = shortName(name);
  const line = (
    <>
      <Avatar name={name} src={person.avatar} seed={person.id} size={32} />
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <span className="flex min-w-0 items-center gap-1 text-body font-semibold">
          <span className="truncate">
            {first}
            <span className="sr-only">{name.slice(first.length)}</span>
          </span>
          {person.verifiedDriver && (
            <>
              <BadgeCheck aria-hidden className="size-4.5 shrink-0 text-brand-ink" />
              <span className="sr-only">{t('rides:person.verified')}</span>
            </>
          )}
        </span>
        <PersonStars person={person} />
      </span>
    </>
  );
  const look = 'relative flex max-w-full min-w-0 items-center gap-2 self-start';
  return isLink ? (
    <Link
      to="/pages/contact/user"
      search={{ id: person.id }}
      className={`${look} -my-1.5 min-h-11 rounded-control pr-2 underline-offset-4 hover:underline`}
    >
      {line}
    </Link>
  ) : (
    <span className={`${look} min-h-8`}>{line}</span>
  );
}

/** A card that opens a ride's or request's page. */
export function CardLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      to="/pages/order/detail"
      search={{ id }}
      {...cardLink()}
      ref={nameReturning(id)}
      data-opens-ride={id}
      className="block rounded-control transition-transform duration-150 active:scale-[0.99]"
    >
      {children}
    </Link>
  );
}
