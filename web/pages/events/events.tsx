import { usePageQuery } from '../../core/navigation.ts';
import { EventDetail } from './event-detail.tsx';
import { EventList } from './event-list.tsx';

/** Events: what is coming up, and with `id` one of them. */
export function Page() {
  const { id } = usePageQuery();
  return id === undefined || id === '' ? <EventList /> : <EventDetail key={id} />;
}
