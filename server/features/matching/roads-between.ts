import type { Travel } from '#roads/graph/network.ts';
import type { App } from '../../app-type.ts';
import type { NearSpot } from './meeting-points.ts';
import type { Plan } from './rules/plan.ts';
import { reroute, type Rerouted, type Rider } from './rules/rerouting.ts';

interface At {
  lon: number;
  lat: number;
}

/** The free drive between two places; null where no road leads. */
export const travelBetween = ({ matching }: App, from: At, to: At): Travel | null =>
  matching.roads.travel(from, to);

/** The drive between two places by their rounded points. */
export const betweenRounded = ({ matching }: App, from: At, to: At) =>
  matching.roads.betweenRounded(from, to);

/** Meeting points near a place, for a request that is being published. */
export const spotsNear = ({ matching }: App, at: At, walkMetres: number): readonly NearSpot[] =>
  matching.spotsNear(at, walkMetres);

/** Fits the passengers of the present route into another one. */
export const rerouteRide = ({ matching: { roads } }: App, alone: Plan, riders: readonly Rider[]): Rerouted =>
  reroute(alone, riders, { drivesOf: roads.drivesOf, travel: roads.foundTravel });
