import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { discover } from '#contract/rides/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { useConfig } from '../../core/config.ts';
import { useCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { List, rowVariants, Section } from '../../ui/surfaces.tsx';
import { Avatar } from '../../ui/people.tsx';
import { useAmount } from '../../domain/money/price-lines.tsx';

type Nearby = OutputOf<typeof discover>['orders'][number];
type Waiting = Extract<Nearby, { role: 'passenger' }>;

const shownAtMost = 5;
/** About a kilometre: a small change of place is not worth a new question. */
const coarse = (degrees: number) => Math.round(degrees * 100) / 100;

/** Passengers who look for a ride around a point, soonest first; nothing where no one waits. */
export function PeopleWaiting({ at }: { at: readonly [number, number] | null }) {
  const { t } = useTranslation('planning');
  const { data: config } = useConfig();
  const around = at ?? config?.region.center ?? null;
  const { data } = useCall(
    discover,
    { lon: coarse(around?.[0] ?? 0), lat: coarse(around?.[1] ?? 0), role: 'passenger' },
    { enabled: around !== null, quiet: true, keepPrevious: true, staleTime: 60_000 },
  );
  const waiting = (data?.orders ?? []).filter(
    (order): order is Waiting => order.role === 'passenger' && !order.mine,
  );
  if (waiting.length === 0) return null;
  return (
    <Section title={t('waiting.title')}>
      <List label={t('waiting.title')}>
        {waiting.slice(0, shownAtMost).map((request) => (
          <WaitingRow key={request.id} request={request} />
        ))}
      </List>
    </Section>
  );
}

function WaitingRow({ request }: { request: Waiting }) {
  const { t } = useTranslation(['planning', 'common']);
  const format = useFormat();
  const amount = useAmount();
  const name = request.passenger.name || t('common:guest');
  return (
    <li>
      <Link to="/pages/order/detail" search={{ id: request.id }} className={rowVariants}>
        <Avatar name={name} src={request.passenger.avatar} seed={request.passenger.id} size={40} />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-body font-semibold">
            {request.from.name} → {request.to.name}
          </span>
          <span className="figures block text-small text-ink-2">
            {format.when(request.earliestAt, request.timeZone, request.latestAt)}
          </span>
          <span className="figures block truncate text-small text-ink-3">
            {[
              name,
              t('planning:waiting.seats', { count: request.seats }),
              ...(request.offerCents === null ? [] : [amount(request.offerCents)]),
            ].join(' · ')}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
      </Link>
    </li>
  );
}
