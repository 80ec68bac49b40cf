import { CalendarPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { orderCalendar } from '#contract/rides/endpoints.ts';
import type { Order } from '#contract/rides/views.ts';
import { useAction } from '../../../core/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { seatedBooking } from '#contract/rides/next-action.ts';

/**
 * Hands my ride, or my place in one, to the device's calendar as a file; a later file replaces an earlier one
 * there.
 */
export function CalendarButton({ order }: { order: Order }) {
  const { t } = useTranslation('rides');
  const action = useAction(orderCalendar, {
    invalidates: [],
    onDone: ({ fileName, text }) => {
      const url = URL.createObjectURL(new Blob([text], { type: 'text/calendar;charset=utf-8' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = fileName;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  const drives = order.role === 'driver' && order.mine;
  if (order.stage === 'Completed' || (!drives && seatedBooking(order.bookings) === undefined)) return null;
  return (
    <Button
      tone="quiet"
      full
      icon={<CalendarPlus aria-hidden />}
      busy={action.busy}
      onClick={() => action.run({ id: order.id })}
    >
      {t('calendar.add')}
    </Button>
  );
}
