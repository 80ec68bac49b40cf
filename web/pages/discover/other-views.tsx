import type { DiscoverView } from '../../features/discover/frame.tsx';
import { MyAlerts } from './my-alerts.tsx';
import { PopularCommutes } from './popular-commutes.tsx';
import { SameCommute } from './same-commute.tsx';

/** The other views of Discover: commutes that many people travel, people with mine, and my alerts. */
export function OtherView({
  view,
  unreadAlerts,
}: {
  view: Exclude<DiscoverView, 'around'>;
  unreadAlerts: number;
}) {
  if (view === 'ways') return <PopularCommutes unreadAlerts={unreadAlerts} />;
  if (view === 'people') return <SameCommute unreadAlerts={unreadAlerts} />;
  return <MyAlerts unreadAlerts={unreadAlerts} />;
}
