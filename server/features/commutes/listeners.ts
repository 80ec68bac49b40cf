import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { SignalOf } from '../../platform/events/listeners.ts';
import * as store from './store.ts';

const isPublishedOrCanceled = ({ move, to }: { move: string; to: string }): boolean =>
  move === 'publish' || to === 'cancel';

const concerns = {
  'ride.moved': isPublishedOrCanceled,
  'request.moved': isPublishedOrCanceled,
  'order.edited': true,
  'change.moved': ({ to }: { to: string }) => to === 'applied',
  'recurring.changed': true,
  'alert.saved': true,
  'alert.deleted': true,
} as const;
type CommuteSignal = SignalOf<keyof typeof concerns>;

/** Commutes may follow so much later: the changes of a moment are noted together. */
const restMs = secondMs;

/** Marks the commutes of people as due who changed an order, recurring rides or an alert. */
export function listenForCommutes({ db, clock, outbox }: App): void {
  outbox.listen(
    'commutes',
    concerns,
    (signals) => store.markDue(db, [...new Set(signals.flatMap(ownersOf))], clock.now()),
    { restMs },
  );
}

function ownersOf({ name, payload }: CommuteSignal): string[] {
  if (name === 'ride.moved') return [payload.driverId];
  if (name === 'request.moved') return [payload.passengerId];
  if (name === 'change.moved') return [payload.driverId, ...payload.passengerIds];
  return [payload.ownerId];
}
