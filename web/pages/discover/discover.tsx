import { listAlerts } from '#contract/alerts/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { useDiscoverQuery } from '../../features/discover/frame.tsx';
import { Around } from './around.tsx';
import { MyAlerts } from './my-alerts.tsx';
import { PopularCommutes } from './popular-commutes.tsx';
import { SameCommute } from './same-commute.tsx';

/** Discover: who is around, commutes that many travel, people with my commute, and what I wait for. */
export function Page() {
  const { view } = useDiscoverQuery();
  const { signedIn } = useSession();
  const { data } = useCall(listAlerts, {}, { enabled: signedIn, quiet: true });
  const unread = signedIn ? (data?.unread ?? 0) : 0;
  if (view === 'ways') return <PopularCommutes unreadAlerts={unread} />;
  if (view === 'people') return <SameCommute unreadAlerts={unread} />;
  if (view === 'alerts') return <MyAlerts unreadAlerts={unread} />;
  return <Around unreadAlerts={unread} />;
}
