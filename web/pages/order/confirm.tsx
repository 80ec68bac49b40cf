import { usePageSearch } from '../../core/navigation.ts';
import { EditOrder } from './edit-order.tsx';
import { EditRecurring } from './edit-recurring.tsx';
import { NewPlan } from './new-plan.tsx';
import { ProposeChange } from './propose-change.tsx';

export function Page() {
  const { role, eventId, edit, propose, series } = usePageSearch('/pages/order/confirm');
  if (series !== undefined) return <EditRecurring id={series} />;
  if (edit !== undefined) return <EditOrder id={edit} />;
  if (propose !== undefined) return <ProposeChange id={propose} />;
  return <NewPlan side={role === 'passenger' ? 'passenger' : 'driver'} eventId={eventId ?? null} />;
}
