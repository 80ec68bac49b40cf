import { usePageQuery } from '../../base/navigation.ts';
import { EditOrder } from './edit-order.tsx';
import { EditSeries } from './edit-series.tsx';
import { PlanRequest } from './plan-request.tsx';
import { PlanRide } from './plan-ride.tsx';

export function Page() {
  const { role, eventId, edit, series } = usePageQuery();
  if (series !== undefined) return <EditSeries id={series} />;
  if (edit !== undefined) return <EditOrder id={edit} />;
  return role === 'passenger' ? (
    <PlanRequest eventId={eventId ?? null} />
  ) : (
    <PlanRide eventId={eventId ?? null} />
  );
}
