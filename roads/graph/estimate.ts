import { isOnEarth } from './geometry.ts';
import type {
  Bounds,
  LonLat,
  RoadLabel,
  RoadNetwork,
  RoadPoint,
  Route,
  SnapRefusal,
  Travel,
} from './network.ts';
import { outsideMetres, outsideMilliseconds } from './outside.ts';

/**
 * The road network where no region is loaded: great circle × 1.35 at 25 to 65 mph by length (outside.ts),
 * every answer marked as estimated. Every point on earth counts as reachable.
 */
export function createEstimateNetwork(): RoadNetwork {
  return new EstimateNetwork();
}

/** The estimate of a drive where no road is known. */
export function estimateTravel(from: LonLat, to: LonLat): Travel {
  // Not packed into a weight: half the earth's circumference would overflow it.
  const metres = outsideMetres(from, to);
  return { milliseconds: outsideMilliseconds(metres), metres: Math.round(metres), estimated: true };
}

class EstimateNetwork implements RoadNetwork {
  readonly bounds: Bounds = [-180, -90, 180, 90];
  readonly nodeCount = 0;
  readonly edgeCount = 0;
  readonly shared = null;

  snap(at: LonLat): RoadPoint | null {
    const point = this.snapOrReason(at);
    return 'refused' in point ? null : point;
  }

  snapOrReason(at: LonLat): RoadPoint | SnapRefusal {
    if (!isOnEarth(at)) return { refused: 'noRoadNear' };
    return {
      lon: at.lon,
      lat: at.lat,
      metresFromRoad: 0,
      streetName: null,
      estimated: true,
      arrivals: [],
      departures: [],
    };
  }

  travel(from: RoadPoint, to: RoadPoint): Travel {
    return estimateTravel(from, to);
  }

  route(from: RoadPoint, to: RoadPoint): Route {
    const line: Route['line'] = [
      [from.lon, from.lat],
      [to.lon, to.lat],
    ];
    return { ...this.travel(from, to), line, streets: [] };
  }

  travelFrom(from: RoadPoint): (to: RoadPoint) => Travel {
    return (to) => this.travel(from, to);
  }

  travelTo(to: RoadPoint): (from: RoadPoint) => Travel {
    return (from) => this.travel(from, to);
  }

  label(point: RoadPoint, direction: 'from' | 'to'): RoadLabel {
    return { direction, point, hubs: new Uint32Array(), weights: new Float64Array() };
  }

  meet(from: RoadLabel, to: RoadLabel): Travel {
    return this.travel(from.point, to.point);
  }

  oneToMany(from: RoadPoint, to: readonly RoadPoint[]): Travel[] {
    return to.map((point) => this.travel(from, point));
  }

  manyToOne(from: readonly RoadPoint[], to: RoadPoint): Travel[] {
    return from.map((point) => this.travel(point, to));
  }

  manyToMany(from: readonly RoadPoint[], to: readonly RoadPoint[]): Travel[][] {
    return from.map((point) => this.oneToMany(point, to));
  }
}
