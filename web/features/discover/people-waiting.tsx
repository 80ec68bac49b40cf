import { Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { discover } from '#contract/rides/endpoints.ts';
import { useConfig } from '../../core/config.ts';
import { lazyPart } from '../../core/lazy-part.ts';
import { useCall } from '../../core/queries.ts';
import { useOnScreen } from '../../core/use-on-screen.ts';
import { List, Section } from '../../ui/surfaces.tsx';
import type { Waiting } from './waiting-row.tsx';

// Below what the page is opened for.
const WaitingRow = lazyPart(
  async () => (await import('./waiting-row.tsx')).WaitingRow,
  ['planning', 'rides'],
);

const shownAtMost = 5;
/** About a kilometre: a small change of place is not worth a new question. */
const coarse = (degrees: number) => Math.round(degrees * 100) / 100;

/**
 * Passengers who need a ride around a point, soonest first; nothing where no one waits. Its calls, code and
 * pictures wait until a person scrolls there.
 */
export function PeopleWaiting({ at }: { at: readonly [number, number] | null }) {
  const { t } = useTranslation('planning');
  const { data: config } = useConfig();
  const around = at ?? config?.region.center ?? null;
  const place = useRef<HTMLDivElement>(null);
  const isReached = useOnScreen(place);
  const { data } = useCall(
    discover,
    { lon: coarse(around?.[0] ?? 0), lat: coarse(around?.[1] ?? 0), role: 'passenger' },
    { enabled: isReached && around !== null, quiet: true, keepPrevious: true, staleTime: 60_000 },
  );
  const waiting = (data?.orders ?? []).filter(
    (order): order is Waiting => order.role === 'passenger' && !order.mine,
  );
  if (waiting.length === 0) return <div ref={place} className="-mb-4" />;
  return (
    <Section title={t('waiting.title')}>
      <List label={t('waiting.title')}>
        {waiting.slice(0, shownAtMost).map((request) => (
          <li key={request.id} className="min-h-18">
            <Suspense>
              <WaitingRow request={request} />
            </Suspense>
          </li>
        ))}
      </List>
    </Section>
  );
}
