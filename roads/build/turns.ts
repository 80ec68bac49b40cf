import type { OsmRelation, Tags } from './osm.ts';
import { U_TURN_RANK } from './profile.ts';

/** The costs of turning, in whole milliseconds. */
/** Average delay at a signal, red and green phases together. */
export const SIGNAL_MS = 8_000;
export const DEAD_END_TURN_MS = 10_000;
export const U_TURN_MS = 25_000;
/** Entering a road that is open only to residents and their visitors. */
export const RESIDENTS_ENTRY_MS = 30_000;
/** Joining or crossing a more important road without signals. */
export const YIELD_MS = 3_000;

/** Milliseconds lost on average at a node, by its tags. */
export function nodeDelay(tags: Tags | undefined): number {
  if (!tags) return 0;
  if (tags.highway === 'traffic_signals') return SIGNAL_MS;
  if (tags.highway === 'stop') return 4_000;
  if (tags.highway === 'give_way' || tags.highway === 'mini_roundabout') return 2_000;
  if (tags.barrier === 'toll_booth') return 15_000;
  if (tags.barrier && tags.barrier !== 'entrance' && tags.barrier !== 'no') return 5_000;
  if (tags.crossing === 'traffic_signals') return 3_000;
  if (tags.traffic_calming) return 1_000;
  return 0;
}

/** Whether a delay at a node is for one direction of the way only: `forward`, `backward`, or both. */
export function delayDirection(tags: Tags): 'forward' | 'backward' | 'both' {
  const stated = tags['traffic_signals:direction'] ?? tags.direction;
  return stated === 'forward' || stated === 'backward' ? stated : 'both';
}

/**
 * Milliseconds for a turn by its angle, after the turn function of OSRM's car profile: a logistic curve up to
 * 7.5 s, more to the left than to the right where traffic keeps right.
 * @param degrees -180 … 180, positive to the side that traffic keeps to: the right, in most countries.
 */
export function turnDelay(degrees: number): number {
  const bias = 1.075;
  const steepness = 13;
  const offset = 6.5;
  const seconds =
    degrees >= 0
      ? 7.5 / (1 + Math.exp(-((steepness / bias) * (degrees / 180) - offset * bias)))
      : 7.5 / (1 + Math.exp(-(steepness * bias * (-degrees / 180) - offset / bias)));
  return Math.round(seconds * 1000);
}

/** Whether a driver may make a U-turn at a junction of at least three roads. */
export function mayTurnRound(rank: number, roads: number): boolean {
  return roads >= 3 && rank >= U_TURN_RANK;
}

/** A restriction on cars that come from one way over another: they must not, or must, turn into a third. */
export interface ViaWayRule {
  from: number;
  via: number;
  to: number;
  must: boolean;
}

/** From one way into another; a U-turn leads back on the same road. */
interface Turn {
  from: number;
  to: number;
  isUTurn: boolean;
}

/** The turns that signs forbid, by way: at one node, or over one way. */
export class TurnRestrictions {
  readonly overWays: ViaWayRule[] = [];
  /** via node → from way → to ways that are forbidden. */
  private readonly forbidden = new Map<number, Map<number, Set<number>>>();
  /** via node → from way → the only ways allowed. */
  private readonly only = new Map<number, Map<number, Set<number>>>();

  /**
   * Reads restriction relations with one node or one way as via; leaves out those over several ways, those
   * that except cars, and those that apply only at some hours.
   */
  constructor(relations: readonly OsmRelation[]) {
    for (const { tags = {}, members } of relations) {
      const rule = tags['restriction:motorcar'] ?? tags['restriction:motor_vehicle'] ?? tags.restriction;
      // A sign that applies only at certain hours must not close a turn for the whole day.
      if (!rule || tags.hour_on || tags.day_on || /\b(motorcar|motor_vehicle)\b/.test(tags.except ?? ''))
        continue;
      const table = rule.startsWith('only_') ? this.only : rule.startsWith('no_') ? this.forbidden : null;
      const vias = members.filter((member) => member.role === 'via');
      if (!table || vias.length !== 1) continue;
      const [via] = vias;
      for (const from of members) {
        if (from.role !== 'from' || from.type !== 'way') continue;
        for (const to of members) {
          if (to.role !== 'to' || to.type !== 'way') continue;
          if (via?.type === 'node') add(table, via.ref, from.ref, to.ref);
          else if (via?.type === 'way')
            this.overWays.push({ from: from.ref, via: via.ref, to: to.ref, must: table === this.only });
        }
      }
    }
  }

  /** Whether a car may make a turn at a node, where it could drive into the ways `choices`. */
  allows(via: number, { from, to, isUTurn }: Turn, choices: readonly number[]): boolean {
    const allowed = this.only.get(via)?.get(from);
    // A mandatory turn into an undrivable road would close the junction: it is an error in the map.
    if (allowed && choices.some((way) => allowed.has(way)))
      return allowed.has(to) && (!isUTurn || to !== from);
    const refused = this.forbidden.get(via)?.get(from);
    // A way through the node leads both in and out: a rule with from = to forbids only the U-turn.
    return !refused?.has(to) || (to === from && !isUTurn);
  }
}

function add(table: Map<number, Map<number, Set<number>>>, via: number, from: number, to: number): void {
  const byFrom = table.get(via) ?? new Map<number, Set<number>>();
  table.set(via, byFrom);
  const ways = byFrom.get(from) ?? new Set<number>();
  byFrom.set(from, ways);
  ways.add(to);
}
