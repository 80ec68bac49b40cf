import { endedRideStates } from '#contract/rides/moves.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TripsService } from './service.ts';

/** A reopened request has lost its driver: emails its passenger other rides. */
export function listenForLost({ outbox }: Platform, trips: TripsService): void {
  outbox.on(
    'request.moved',
    'rescue',
    ({ payload: { requestId } }) => trips.tellOfRescue(requestId),
    ({ move }) => move === 'rematch',
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
