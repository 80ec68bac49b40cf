import type { Preferences } from '#contract/rides/preferences.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import type { App } from '../../app-type.ts';
import { trafficPermilleAt } from '../geo/service.ts';
import { arriveByMs } from './rules/detour.ts';
import { maskOf } from './rules/preferences.ts';
import { door, meetingSpot, type Spot, type Wish } from './rules/wish.ts';

/** A passenger's request before it is published. */
export interface Draft {
  from: { lon: number; lat: number };
  to: { lon: number; lat: number };
  earliestAt: Date;
  latestAt: Date;
  seats: number;
  offerCents: number | null;
  walkMetres: number;
  preferences: Preferences;
}

/** A draft with its meeting points and its free drive. */
export interface PlacedDraft extends Draft {
  pickupMeetingPoints: readonly Omit<Spot, 'walkMs'>[];
  dropoffMeetingPoints: readonly Omit<Spot, 'walkMs'>[];
  driveMs: number;
}

/** A draft as the input of matching. */
export function draftWish(app: App, draft: PlacedDraft): Wish {
  const latestMs = draft.latestAt.getTime();
  const driveMs = inTraffic(draft.driveMs, trafficPermilleAt(app, draft.from, draft.latestAt));
  return {
    seats: draft.seats,
    pickups: [door(draft.from), ...draft.pickupMeetingPoints.map(meetingSpot)],
    dropoffs: [door(draft.to), ...draft.dropoffMeetingPoints.map(meetingSpot)],
    walkMetres: draft.walkMetres,
    earliestMs: draft.earliestAt.getTime(),
    latestMs,
    arriveByMs: arriveByMs(latestMs, driveMs),
    preferences: maskOf(draft.preferences),
  };
}
