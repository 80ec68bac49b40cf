import { greatCircleMetres } from '../../roads/graph/geometry.ts';
import { createRoadNetwork } from '../../roads/graph/graph-network.ts';
import { COORDINATE_DEGREES, PICK_UP, type RoadGraph } from '../../roads/graph/graph.ts';
import type { LonLat, RoadNetwork, RoadPoint } from '../../roads/graph/network.ts';
import { permilleAt, smallUrbanArea } from '../../roads/graph/traffic.ts';
import type { WalkNetwork } from '../../roads/walk/walk-network.ts';
import type { RideEntry } from '../../server/features/matching/engine/entries.ts';
import { arriveByMs, defaultMaxDetourMs } from '../../server/features/matching/rules/detour.ts';
import {
  bestInsertion,
  measured,
  withBooking,
  type Drives,
} from '../../server/features/matching/rules/insertion.ts';
import { planAlone, type Plan } from '../../server/features/matching/rules/plan.ts';
import { door, meetingSpot, type Spot, type Wish } from '../../server/features/matching/rules/wish.ts';
import { randomFrom } from '../../server/testing/random.ts';
import type { CountryRoads } from './roads.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const mostSpots = 8;

/** When people leave: a whole country at once, or days with a morning and an evening. */
export interface Span {
  startMs: number;
  hours: number;
}

/**
 * Draws people who live and drive in a country of copies of one region; the same seed draws the same people.
 */
export class Demand {
  readonly network: RoadNetwork;
  private readonly country: CountryRoads;
  private readonly random: () => number;
  private readonly homes: LonLat[];
  private readonly walks: WalkNetwork | null;

  /** @param walks the region's footpaths; without them no one walks. */
  constructor(country: CountryRoads, walks: WalkNetwork | null, seed: number) {
    this.country = country;
    this.network = createRoadNetwork(country.graph);
    this.random = randomFrom(seed);
    this.homes = doorsOf(country.region);
    this.walks = walks;
  }

  /** A driver's offer, alone or with up to three on board. */
  ride(span: Span): RideEntry {
    for (;;) {
      const tile = this.tile();
      const from = this.spot(tile);
      // Four in five stay in their region, the others go to an adjacent one.
      const to = this.spot(this.random() < 0.8 ? tile : this.beside(tile));
      const drive = this.network.travel(from.point, to.point);
      if (drive === null || drive.milliseconds < 3 * minuteMs) continue;
      const departsMs = this.instant(span);
      const alone = planAlone({
        from: from.at,
        to: to.at,
        drive,
        seats: this.pick([1, 2, 3, 3, 4]),
        earliestDepartsMs: departsMs,
        latestDepartsMs: departsMs + this.pick([0, 0, 10, 15, 30]) * minuteMs,
        trafficPermille: permilleAt(smallUrbanArea, 2, new Date(departsMs).getUTCHours()),
        maxDetourMs: this.pick(
          [null, null, 5, 15, 25].map((minutes) =>
            minutes === null ? defaultMaxDetourMs(drive.milliseconds) : minutes * minuteMs,
          ),
        ),
      });
      const plan = this.withSome(
        alone,
        from,
        to,
        this.pick([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3]),
      );
      return {
        id: this.uuid(),
        driverId: this.uuid(),
        isPublic: this.random() < 0.9,
        plan,
        priceKind: this.pick(['perPerson', 'perCar']),
        costCents: this.pick([0, 600, 900, 1500]),
        joinedSeats: plan.stops.filter(({ kind }) => kind === 'pickup').length,
      };
    }
  }

  /** A passenger's request. */
  wish(span: Span): { wish: Wish; offerCents: number | null } {
    for (;;) {
      const tile = this.tile();
      const to = this.random() < 0.9 ? tile : this.beside(tile);
      const walkMetres = this.pick([0, 300, 600, 600, 1000]);
      const wish = this.wishBetween(this.spot(tile), this.spot(to), this.instant(span), walkMetres);
      if (wish !== null) return { wish, offerCents: this.pick([null, null, 650, 1000]) };
    }
  }

  private wishBetween(from: DrawnSpot, to: DrawnSpot, earliestMs: number, walkMetres: number): Wish | null {
    const direct = this.network.travel(from.point, to.point);
    if (direct === null || direct.milliseconds < 2 * minuteMs) return null;
    const latestMs = earliestMs + this.pick([15, 30, 60]) * minuteMs;
    return {
      seats: this.pick([1, 1, 1, 2]),
      pickups: this.spots(from, walkMetres),
      dropoffs: this.spots(to, walkMetres),
      walkMetres,
      earliestMs,
      latestMs,
      arriveByMs: arriveByMs(latestMs, direct.milliseconds),
      preferences: 0,
    };
  }

  /** Lets some people join who fit: neighbors of the driver who go to the same part. */
  private withSome(alone: Plan, from: DrawnSpot, to: DrawnSpot, people: number): Plan {
    let plan = alone;
    for (let tries = 0, joined = 0; joined < people && tries < people * 3; tries++) {
      const wish = this.wishBetween(this.near(from), this.near(to), alone.earliestDepartsMs, 0);
      if (wish === null) continue;
      const travel = (from: LonLat, to: LonLat) =>
        this.network.travel(this.network.snap(from)!, this.network.snap(to)!)!;
      const choice = bestInsertion(plan, wish, drivesBy(plan, wish, travel));
      if (choice === null) continue;
      plan = withBooking(plan, wish, measured(plan, wish, choice, travel), String(joined++));
    }
    return plan;
  }

  private spots(own: DrawnSpot, walkMetres: number): Spot[] {
    // Footpaths are the region's: meeting points are found there and laid into the copy.
    const near =
      walkMetres === 0 ? [] : (this.walks?.meetingPoints(own.inRegion, walkMetres, mostSpots) ?? []);
    const { stepLon, stepLat } = this.country;
    return [
      door(own.at),
      ...near.map(({ lon, lat, walkMetres: metres, streetName }) =>
        meetingSpot({
          lon: round7(lon + own.tile.column * stepLon),
          lat: round7(lat + own.tile.row * stepLat),
          walkMetres: metres,
          name: streetName ?? '',
        }),
      ),
    ];
  }

  /** The nearest of some positions of the same copy. */
  private near({ at, tile }: DrawnSpot): DrawnSpot {
    for (;;) {
      const some = Array.from({ length: 12 }, () => this.place(tile));
      some.sort((a, b) => greatCircleMetres(a.at, at) - greatCircleMetres(b.at, at));
      const spot = this.onRoad(some[0]!);
      if (spot !== null) return spot;
    }
  }

  private spot(tile: Tile): DrawnSpot {
    for (;;) {
      const spot = this.onRoad(this.place(tile));
      if (spot !== null) return spot;
    }
  }

  private place(tile: Tile): Omit<DrawnSpot, 'point'> {
    const { stepLon, stepLat } = this.country;
    const inRegion = this.pick(this.homes);
    const lon = round7(inRegion.lon + tile.column * stepLon);
    const lat = round7(inRegion.lat + tile.row * stepLat);
    return { at: { lon, lat }, inRegion, tile };
  }

  private onRoad(place: Omit<DrawnSpot, 'point'>): DrawnSpot | null {
    const point = this.network.snap(place.at);
    return point === null || point.estimated ? null : { ...place, point };
  }

  private tile(): Tile {
    const { columns, rows } = this.country;
    return { column: Math.floor(this.random() * columns), row: Math.floor(this.random() * rows) };
  }

  private beside({ column, row }: Tile): Tile {
    const { columns, rows } = this.country;
    const step = () => Math.floor(this.random() * 3) - 1;
    const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
    return { column: within(column + step(), columns), row: within(row + step(), rows) };
  }

  /**
   * Within hours: evenly. Within days: two in five in the morning, two in five in the evening, the others
   * between.
   */
  private instant({ startMs, hours }: Span): number {
    if (hours < 24) return startMs + Math.floor((this.random() * hours * hourMs) / 1000) * 1000;
    const day = Math.floor(this.random() * (hours / 24));
    const roll = this.random();
    const bell = (this.random() + this.random() + this.random()) / 3 - 0.5;
    const hour = roll < 0.4 ? 7.75 + bell * 4 : roll < 0.8 ? 17.25 + bell * 4 : 6 + this.random() * 16;
    return startMs + day * 24 * hourMs + Math.floor(hour * 3600) * 1000;
  }

  private uuid(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.random() * 16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }
}

interface Tile {
  column: number;
  row: number;
}

interface DrawnSpot {
  at: LonLat;
  /** The same place in the region that was copied. */
  inRegion: LonLat;
  tile: Tile;
  point: RoadPoint;
}

function drivesBy(
  { stops }: Plan,
  { pickups, dropoffs }: Wish,
  travel: (from: LonLat, to: LonLat) => { milliseconds: number },
): Drives {
  const ms = (from: LonLat, to: LonLat) => travel(from, to).milliseconds;
  return {
    toPickup: (stop, spot) => ms(stops[stop]!, pickups[spot]!),
    fromPickup: (spot, stop) => ms(pickups[spot]!, stops[stop]!),
    toDropoff: (stop, spot) => ms(stops[stop]!, dropoffs[spot]!),
    fromDropoff: (spot, stop) => ms(dropoffs[spot]!, stops[stop]!),
    direct: (pickup, dropoff) => ms(pickups[pickup]!, dropoffs[dropoff]!),
  };
}

/** Vertices of roads where people may get in: many where streets are, few where there are none. */
function doorsOf({ edgeFlags, edgeShape, edgeCount, shapeStart, shapePoints }: RoadGraph): LonLat[] {
  const doors: LonLat[] = [];
  for (let e = 0; e < edgeCount; e++) {
    if (!(edgeFlags[e]! & PICK_UP) || edgeShape[e]! & 1) continue;
    const shape = edgeShape[e]! >> 1;
    for (let point = shapeStart[shape]!; point < shapeStart[shape + 1]!; point++) {
      doors.push({
        lon: shapePoints[2 * point]! * COORDINATE_DEGREES,
        lat: shapePoints[2 * point + 1]! * COORDINATE_DEGREES,
      });
    }
  }
  return doors;
}

const round7 = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
