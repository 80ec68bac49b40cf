import type { App } from '../../../app-type.ts';
import { countStrikes } from './count-strikes.ts';

/** No driver waits for a strike: the cancellations of a second are read at once. */
const restMs = 1000;

/** Counts a driver's late cancellations afterward, so that counting never blocks a cancellation. */
export function listenForStrikes(app: App): void {
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
