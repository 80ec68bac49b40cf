import { endedRideStates } from '#contract/rides/moves.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TripsService } from './service.ts';

/** An email may come this much later than the notification in the app. */
const emailRestMs = 1000;

/** A reopened request has lost its driver: emails its passenger other rides. */
export function listenForLost({ outbox }: Platform, trips: TripsService): void {
  outbox.listen(
    'rescue',
    { 'request.moved': ({ move }) => move === 'rematch' },
    (signals) => trips.tellOfRescue(signals.map(({ payload }) => payload.requestId)),
    { restMs: emailRestMs },
  );
}

/** Where a car was is deleted as soon as its ride ends. */
export function listenForEnds({ outbox }: Platform, trips: TripsService): void {
  outbox.on(
    'ride.moved',
    'positions',
    ({ payload: { rideId } }) => trips.wipePosition(rideId),
    ({ to }) => endedRideStates.some((state) => state === to),
  );
}
