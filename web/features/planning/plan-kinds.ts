import type { Side } from '../../core/side.ts';

/** A headed part of the form. */
export type PlanPart =
  | 'route'
  | 'departure'
  | 'window'
  | 'repeat'
  | 'week'
  | 'car'
  | 'price'
  | 'seatsAndOffer'
  | 'joining'
  | 'preferences'
  | 'visibility'
  | 'more'
  | 'proposedRoute'
  | 'proposedTerms';

/** What one kind of plan asks, and in which order. */
export interface PlanKind {
  side: Side;
  parts: readonly PlanPart[];
}

const rideTerms = ['car', 'price', 'joining', 'preferences', 'visibility', 'more'] as const;
const requestTerms = ['seatsAndOffer', 'preferences', 'visibility', 'more'] as const;

export const planKinds = {
  /** New, once or every week. */
  ride: { side: 'driver', parts: ['route', 'departure', 'repeat', ...rideTerms] },
  request: { side: 'passenger', parts: ['route', 'window', 'repeat', ...requestTerms] },
  /** Published, and no one has joined. */
  editedRide: { side: 'driver', parts: ['route', 'departure', ...rideTerms] },
  editedRequest: { side: 'passenger', parts: ['route', 'window', ...requestTerms] },
  /** Time, address and cost are agreed with the people who ride along, and no fields. */
  agreedRide: { side: 'driver', parts: ['route', 'car', 'joining', 'visibility', 'more'] },
  agreedRequest: { side: 'passenger', parts: ['route', 'visibility', 'more'] },
  /** All days to come of a weekly one. */
  weeklyRides: { side: 'driver', parts: ['route', 'departure', 'week', ...rideTerms] },
  weeklyRequests: { side: 'passenger', parts: ['route', 'window', 'week', ...requestTerms] },
  /** Another time, price or route for the people on board. */
  proposal: { side: 'driver', parts: ['proposedRoute', 'proposedTerms'] },
} as const satisfies Record<string, PlanKind>;
