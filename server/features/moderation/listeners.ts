import type { App } from '../../app-type.ts';
import { takeBackOrders } from './admin/suspend-user.ts';
import { countStrikes } from './strikes/count-strikes.ts';

export function listenForModeration(app: App): void {
  listenForSuspensions(app);
  listenForStrikes(app);
}

/** Cancels a suspended person's orders, each in its own transaction, and retries when one fails. */
function listenForSuspensions(app: App): void {
  app.outbox.on('user.suspended', 'suspension', ({ payload }) => takeBackOrders(app, payload.userId));
}

/** No driver waits for a strike: the cancellations of a second are read at once. */
const restMs = 1000;

/** Counts a driver's late cancellations afterward, so that counting never blocks a cancellation. */
function listenForStrikes(app: App): void {
  app.outbox.listen(
    'strikes',
    {
      // A passenger who declines a proposed change leaves by choice: without an answer the ride would have
      // stayed as agreed.
      'booking.moved': ({ move, actor }) =>
        (move === 'cancel' && actor !== 'passenger') || move === 'breakOff',
      'driver.missed': true,
    },
    (signals) =>
      countStrikes(
        app,
        signals.map(({ name, payload }) => ({
          bookingId: payload.bookingId,
          by: name === 'driver.missed' ? payload.by : 'driver',
        })),
      ),
    { restMs },
  );
}
