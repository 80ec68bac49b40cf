import { usePageSearch } from '../../core/navigation.ts';
import { EventDetail } from './event-detail.tsx';
import { EventList } from './event-list.tsx';

/** Events: what is coming up, and with `id` one of them. */
export function Page() {
  const { id } = usePageSearch('/pages/events/events');
  return id === undefined ? <EventList /> : <EventDetail key={id} />;
}
