import { CarFront, HandHelping } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { EventEntry } from '#contract/events/endpoints.ts';
import type { EventWay } from '#contract/events/plan.ts';
import { useFormat } from '../../core/use-format.ts';
import { Avatar } from '../../ui/people.tsx';
import { List, ListRow } from '../../ui/surfaces.tsx';

/** Who drives one way of an event, and who needs a seat. */
export function Entries({
  way,
  entries,
  onOpen,
}: {
  way: EventWay;
  entries: readonly EventEntry[];
  onOpen: (orderId: string) => void;
}) {
  const { t } = useTranslation('events');
  const format = useFormat();
  if (entries.length === 0) return <p className="text-body text-ink-2">{t('noEntries')}</p>;
  return (
    <List label={t(way)}>
      {entries.map(({ orderId, role, person, place, at, timeZone, seats }) => (
        <ListRow
          key={orderId}
          leading={<Avatar name={person.name} src={person.avatar} seed={person.id} size={40} />}
          title={person.name}
          detail={t(way === 'there' ? 'fromPlace' : 'toPlace', {
            place: place.name,
            time: format.timeOfDay(at, timeZone),
          })}
          trailing={
            <span className="figures inline-flex items-center gap-1.5 text-small text-ink-2">
              {role === 'driver' ? (
                <CarFront aria-hidden className="size-4 text-brand-ink" />
              ) : (
                <HandHelping aria-hidden className="size-4 text-warn" />
              )}
              {t(role === 'driver' ? 'seatsFree' : 'seatsNeeded', { count: seats })}
            </span>
          }
          chevron
          onClick={() => onOpen(orderId)}
        />
      ))}
    </List>
  );
}
