import { inTraffic, smallUrbanArea } from '#roads/graph/traffic.ts';
import type { events } from '../schema/events.ts';
import { later, minuteMs } from '../platform/clock.ts';
import type { Days } from './days.ts';
import {
  personaOf,
  type EventKey,
  type Persona,
  type PlaceKey,
  type Price,
  type RequestExtra,
  type RideExtra,
} from './demo-data.ts';
import type { Dice } from './seeded-random.ts';
import { noteFor } from './texts.ts';
import type { DriveMs } from './drive-times.ts';

type EventRow = typeof events.$inferSelect;

/** An event, with the people who plan to come. */
export interface PlannedEvent extends Pick<EventRow, 'name' | 'description' | 'startsAt' | 'endsAt'> {
  key: EventKey;
  organizer: string;
  at: PlaceKey;
}

interface PlannedOrder {
  /** The name by which a scene of the three accounts finds it. */
  scene?: string;
  person: string;
  from: PlaceKey;
  to: PlaceKey;
  publishedAt: Date;
  seats: number;
  visibility: 'all users' | 'all contacts' | 'tags';
  /** Names of the owner's tags, where only those people are to see it. */
  tags: readonly string[];
  note: string;
  flight: string;
  event: EventKey | null;
}

export interface PlannedRide extends PlannedOrder {
  departsAt: Date;
  flexMinutes: number;
  /** Null takes the product's default. */
  maxDetourMinutes: number | null;
  price: Price;
}

export interface PlannedRequest extends PlannedOrder {
  earliestAt: Date;
  latestAt: Date;
  offerCents: number | null;
}

export interface Week {
  events: PlannedEvent[];
  rides: PlannedRide[];
  requests: PlannedRequest[];
}

/** Parts of an order that its plan knows. */
type Known = { publishedAt?: Date; event?: EventKey };

export type Ends = readonly [from: PlaceKey, to: PlaceKey];

/** A free drive in the slowest hour of a week. */
const atMost = (freeMs: number): number => inTraffic(freeMs, Math.max(...smallUrbanArea.weekday));

/** The times at which people are busy; no person is in two places at once. */
export class Diary {
  readonly #taken = new Map<string, [fromMs: number, toMs: number][]>();

  isFree(person: string, from: Date, to: Date): boolean {
    const spans = this.#taken.get(person) ?? [];
    return spans.every(([fromMs, toMs]) => to.getTime() <= fromMs || from.getTime() >= toMs);
  }

  take(person: string, from: Date, to: Date): void {
    this.#taken.set(person, [...(this.#taken.get(person) ?? []), [from.getTime(), to.getTime()]]);
  }
}

/**
 * The basis of a planned week: its days, chance, drives by the roads, and the times at which people are
 * taken.
 */
interface WeekBasis {
  days: Days;
  dice: Dice;
  driveMs: DriveMs;
  diary: Diary;
}

/** The coming week while it is planned: orders are added where their people are free. */
export class WeekPlan {
  readonly week: Week;
  readonly days: Days;
  readonly dice: Dice;
  readonly driveMs: DriveMs;
  readonly #diary: Diary;

  constructor({ days, dice, driveMs, diary }: WeekBasis, planned: PlannedEvent[]) {
    this.week = { events: planned, rides: [], requests: [] };
    this.days = days;
    this.dice = dice;
    this.driveMs = driveMs;
    this.#diary = diary;
  }

  eventOf(key: EventKey): PlannedEvent {
    return this.week.events.find((each) => each.key === key)!;
  }

  /** Adds a ride; false where its driver is busy then. */
  addRide(key: string, departsAt: Date, [from, to]: Ends, more: RideExtra & Known = {}): boolean {
    const { dice } = this;
    const who = personaOf(key);
    if (who.car === null) throw new Error(`${key} has no car.`);
    const { price = who.car.price, maxDetourMinutes = null, ...rest } = more;
    const { flexMinutes = dice.pick([0, 5, 10, 15]), ...extra } = rest;
    const until = later(departsAt, flexMinutes * minuteMs + atMost(this.driveMs(from, to)));
    if (!this.#diary.isFree(key, departsAt, until)) return false;
    this.#diary.take(key, departsAt, until);
    const seats = Math.min(dice.pick([1, 2, 2, 3, 3, 4]), who.car.seats);
    this.week.rides.push({
      seats,
      ...this.#common(who, 'driver', extra),
      from,
      to,
      departsAt,
      flexMinutes,
      maxDetourMinutes,
      price,
    });
    return true;
  }

  /** Adds a request for a pick-up around an instant; false where the passenger is busy then. */
  addRequest(key: string, around: Date, [from, to]: Ends, more: RequestExtra & Known = {}): boolean {
    const { dice } = this;
    const who = personaOf(key);
    const { early = dice.pick([15, 20, 30]), late = dice.pick([20, 30, 40]), ...rest } = more;
    const { offerCents = dice.pick([null, null, 650, 750, 800, 1000, 1200]), ...extra } = rest;
    const [earliestAt, latestAt] = [later(around, -early * minuteMs), later(around, late * minuteMs)];
    const until = later(latestAt, atMost(this.driveMs(from, to)));
    if (!this.#diary.isFree(key, earliestAt, until)) return false;
    this.#diary.take(key, earliestAt, until);
    const seats = dice.percent(85) ? 1 : 2;
    this.week.requests.push({
      seats,
      ...this.#common(who, 'passenger', extra),
      from,
      to,
      earliestAt,
      latestAt,
      offerCents,
    });
    return true;
  }

  #common(who: Persona, role: 'driver' | 'passenger', extra: Known) {
    return {
      person: who.key,
      publishedAt: later(this.days.now, -this.dice.between(20, 70 * 60) * minuteMs),
      visibility: 'all users' as const,
      tags: [],
      note: noteFor(this.dice, who, role),
      flight: '',
      event: null,
      ...extra,
    };
  }
}
