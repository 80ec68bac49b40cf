import { useTranslation } from 'react-i18next';
import type { Order } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Card } from '../../../ui/surfaces.tsx';
import { seatedBooking } from '#contract/rides/next-action.ts';
import { PlacesLines } from '../../../domain/place/places-lines.tsx';
import { StateChip } from '../../../domain/ride/state-chip.tsx';
import { useStateSentence } from '../../../domain/ride/use-state-sentence.ts';

/** What and when, at one glance: state, day, times in the place's zone, from → to. */
export function OrderHead({ order }: { order: Order }) {
  const { t } = useTranslation(['rides', 'common']);
  const format = useFormat();
  const { start, end, isWindow } = timesOf(order);
  const zone = order.timeZone;
  const sentence = useStateSentence()(order);
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <div className="flex items-center justify-between gap-3">
          <StateChip label={order.label} />
          <span className="figures text-small text-ink-3">{order.orderNumber}</span>
        </div>
        {sentence !== null && <p className="text-lead">{sentence}</p>}
      </div>
      <div>
        <p className="text-body text-ink-2">
          {format.day(start, zone)}
          {isWindow && ` · ${t('rides:detail.window')}`}
        </p>
        <p className="figures flex flex-wrap items-baseline text-title font-semibold">
          {format.timeOfDay(start, zone)}
          <span aria-hidden className="px-1.5 font-normal text-ink-3">
            {isWindow ? '–' : '→'}
          </span>
          <span>
            <span className="sr-only">{t(isWindow ? 'rides:card.until' : 'rides:card.arrives')} </span>
            {format.timeOfDay(end, zone)}
          </span>
          <span className="pl-2 text-body font-normal text-ink-3 empty:hidden">
            {format.foreignZone(start, zone)}
          </span>
        </p>
      </div>
      <PlacesLines
        from={order.from}
        via={order.role === 'driver' ? order.via : []}
        to={order.to}
        timeZone={zone}
        big
      />
      <p className="text-small text-ink-2">
        {[
          // A ride with people on board takes what its times say, not what its driver alone would need.
          ...(isAlone(order) ? [format.distance(order.driveMetres)] : []),
          isWindow ? format.duration(order.driveSeconds) : format.between(start, end),
          ...(order.estimated ? [t('common:estimated')] : []),
        ].join(' · ')}
      </p>
    </Card>
  );
}

/** Whether the distance is the order's own: those on board and their stops make a ride longer. */
const isAlone = (order: Order): boolean => seatedBooking(order.bookings) === undefined;

/**
 * A ride leaves and arrives; a request that no one has answered is a window; one that has is picked up and
 * dropped off.
 */
function timesOf(order: Order): { start: string; end: string; isWindow: boolean } {
  if (order.role === 'driver') return { start: order.departsAt, end: order.arrivesAt, isWindow: false };
  const booking = seatedBooking(order.bookings);
  if (booking) return { start: booking.pickup.at, end: booking.dropoff.at, isWindow: false };
  return { start: order.earliestAt, end: order.latestAt, isWindow: true };
}
