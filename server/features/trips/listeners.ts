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
