import { inTraffic } from '#roads/graph/traffic.ts';
import type { LeastTimes } from '../rules/insertion-on-board.ts';
import { noShape, type Places } from './places.ts';
import type { Bounds, Question } from './question.ts';
import type { RideWays } from './ride-ways.ts';

/**
 * Bounds of the drives between the stops of one ride after the other and the meeting points of a request, by
 * the cells in which both lie: lower than the least times, and known without a search.
 */
export class RoughTimes implements LeastTimes {
  leastDirectMs = 0;
  private readonly places: Places;
  private readonly ways: RideWays;
  private bounds: Bounds | null = null;
  private permille = 0;
  /** By stop: the cell in which it lies; below 0 beyond the region, where nothing is known. */
  private cells = new Int32Array(16);

  constructor({ places, ways }: { places: Places; ways: RideWays }) {
    this.places = places;
    this.ways = ways;
  }

  /** Starts with another request. */
  start(question: Question): void {
    this.bounds = question.within;
  }

  /** Continues with the next ride, of `stops` stops. */
  open(firstWay: number, stops: number, traffic: { permille: number; leastDirectMs: number }): void {
    this.permille = traffic.permille;
    this.leastDirectMs = traffic.leastDirectMs;
    if (stops > this.cells.length) this.cells = new Int32Array(stops * 2);
    this.ways.shapesOf(firstWay, stops, this.cells);
    for (let stop = 0; stop < stops; stop++) {
      const shape = this.cells[stop]!;
      this.cells[stop] = shape === noShape ? -1 : this.places.cellOfShape(shape);
    }
  }

  leastToPickups(stop: number): number {
    return this.between(stop, this.bounds!.intoPickup);
  }

  leastFromPickups(stop: number): number {
    return this.between(stop, this.bounds!.fromPickup);
  }

  leastToDropoffs(stop: number): number {
    return this.between(stop, this.bounds!.intoDropoff);
  }

  leastFromDropoffs(stop: number): number {
    return this.between(stop, this.bounds!.fromDropoff);
  }

  private between(stop: number, seconds: Int32Array): number {
    const cell = this.cells[stop]!;
    return cell < 0 ? 0 : inTraffic(Math.max(0, seconds[cell]!) * 1000, this.permille);
  }
}
