import { usePageQuery } from '../../base/navigation.ts';
import { EditOrder } from './edit-order.tsx';
import { PlanRequest } from './plan-request.tsx';
import { PlanRide } from './plan-ride.tsx';

export function Page() {
  const { role, eventId, edit } = usePageQuery();
  if (edit !== undefined) return <EditOrder id={edit} />;
  return role === 'passenger' ? (
    <PlanRequest eventId={eventId ?? null} />
  ) : (
    <PlanRide eventId={eventId ?? null} />
  );
}
