import { waysHead } from '#roads/search/core-ways.ts';
import { Columns } from './columns.ts';
import type { Place, Places } from './places.ts';
import { Runs } from './runs.ts';
import { partsOf } from './stored.ts';

/** The words of a ride before its ways: how many it has in all, and where those of its last stop begin. */
const lengthAt = 0;
const lastAt = 1;
const rideHead = 2;
/** The words of a stop before its ways: its shape. */
const stopHead = 1;

/**
 * By which vertices of the core the stops of each ride reach others, and are reached. All of a ride lies
 * together in one flat array, so that a search waits for the memory once, where the lists of the hierarchy
 * lie apart for each end of each stop.
 */
export class RideWays {
  private readonly places: Places;
  private readonly runs = new Runs();
  private readonly columns = new Columns({ words: Int32Array }, () => this.runs.end);
  readonly part = partsOf({ runs: this.runs, columns: this.columns });

  constructor(places: Places) {
    this.places = places;
  }

  /** The array in which the places below are positions. Read it again after `put`. */
  get words(): Int32Array {
    return this.columns.at.words;
  }

  /** Adds those of a ride's stops. @returns where they begin */
  put(stops: readonly Place[]): number {
    const { places } = this;
    const last = stops.length - 1;
    const from = (stop: number) => [stops[stop]!.shape, ...places.waysFrom(stops[stop]!)];
    const to = (stop: number) => [stops[stop]!.shape, ...places.waysTo(stops[stop]!)];
    const [start, end] = [from(0), to(last)];
    const words = [0, rideHead + start.length + stopHead, ...start, ...end];
    for (let stop = 1; stop < last; stop++) words.push(...from(stop), ...to(stop));
    words[lengthAt] = words.length;
    const first = this.runs.take(words.length);
    this.columns.ensure(this.runs.end + 2 * lineWords);
    this.words.set(words, first);
    return first;
  }

  drop(first: number): void {
    this.runs.give(first, this.words[first + lengthAt]!);
  }

  /** Reads the ways of `count` rides ahead, as `RideRecords.readAhead` does. */
  readAhead(firsts: Uint32Array, count: number): number {
    const { words } = this;
    let read = 0;
    for (let i = 0; i < count; i++) {
      const first = firsts[i]!;
      // Most rides end within these lines of a cache.
      read ^= words[first]! ^ words[first + lineWords]! ^ words[first + 2 * lineWords]!;
    }
    return read;
  }

  /** The shape of the stop of which the ways begin there. */
  shapeOf(ways: number): number {
    return this.words[ways - stopHead]!;
  }

  /** The shape of each stop of a ride. */
  shapesOf(first: number, stops: number, into: Int32Array): void {
    const { words } = this;
    into[0] = this.shapeOf(this.from(first, 0));
    let at = first + words[first + lastAt]!;
    into[stops - 1] = this.shapeOf(at);
    for (let stop = 1; stop < stops - 1; stop++) {
      at = this.behind(at);
      into[stop] = this.shapeOf(at);
      at = this.behind(at);
    }
  }

  /** Where the ways from a stop begin. */
  from(first: number, stop: number): number {
    return stop === 0 ? first + rideHead + stopHead : this.between(first, 2 * stop - 1);
  }

  /** Where the ways to a stop begin. */
  to(first: number, stop: number, stops: number): number {
    const last = first + this.words[first + lastAt]!;
    return stop === stops - 1 ? last : this.between(first, 2 * stop);
  }

  /** Skips `lists` lists behind that of the last stop. */
  private between(first: number, lists: number): number {
    let at = first + this.words[first + lastAt]!;
    for (let i = 0; i < lists; i++) at = this.behind(at);
    return at;
  }

  /** Where the ways behind some others begin. */
  private behind(ways: number): number {
    return ways + waysHead + Math.max(0, this.words[ways]!) + stopHead;
  }
}

/** A line of a cache. */
const lineWords = 16;
