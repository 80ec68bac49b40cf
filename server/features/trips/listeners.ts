import { endedRideStates } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { wipePosition } from './store.ts';
import { tellOfRescue } from './tell-of-rescue.ts';

/** An email may come this much later than the notification in the app. */
const emailRestMs = 1000;

/** A reopened request has lost its driver: emails its passenger other rides. */
export function listenForLost(app: App): void {
  app.outbox.listen(
    'rescue',
    { 'request.moved': ({ move }) => move === 'rematch' },
    (signals) =>
      tellOfRescue(
        app,
        signals.map(({ payload }) => payload.requestId),
      ),
    { restMs: emailRestMs },
  );
}

/** Where a car was is deleted as soon as its ride ends. */
export function listenForEnds(app: App): void {
  app.outbox.on(
    'ride.moved',
    'positions',
    ({ payload: { rideId } }) => wipePosition(app.db, rideId),
    ({ to }) => endedRideStates.some((state) => state === to),
  );
}
