import type { Base } from '../../base/base.ts';
import type { DiscoverService } from './service.ts';

/** Whatever says how somebody travels makes their ways due. The same signal twice changes nothing. */
export function listenForTravels({ outbox }: Base, { changed }: DiscoverService): void {
  outbox.on('ride.moved', 'ways', ({ payload }) => changed([payload.driverId]));
  outbox.on('request.moved', 'ways', ({ payload }) => changed([payload.passengerId]));
  outbox.on('order.edited', 'ways', ({ payload }) => changed([payload.ownerId]));
  outbox.on('series.changed', 'ways', ({ payload }) => changed([payload.ownerId]));
  outbox.on('alert.saved', 'ways', ({ payload }) => changed([payload.ownerId]));
  outbox.on('alert.deleted', 'ways', ({ payload }) => changed([payload.ownerId]));
  outbox.on('user.suspended', 'ways', ({ payload }) => changed([payload.userId]));
}
