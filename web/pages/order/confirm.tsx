import { usePageQuery } from '../../base/navigation.ts';
import { PlanRequest } from './plan-request.tsx';
import { PlanRide } from './plan-ride.tsx';

export function Page() {
  const { role, eventId } = usePageQuery();
  return role === 'passenger' ? (
    <PlanRequest eventId={eventId ?? null} />
  ) : (
    <PlanRide eventId={eventId ?? null} />
  );
}
