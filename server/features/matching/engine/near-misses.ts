import type { Pair } from '../rules/explain.ts';
import { bestInsertion, type Choice } from '../rules/insertion.ts';
import { nearMissOf, withChange } from '../rules/near-miss.ts';
import { Best } from './best.ts';
import type { Answer, Asker, Hit } from './entries.ts';

/** An order that the bounds leave as a near miss, and the least minutes by which it has to change. */
export interface NearOrder {
  slot: number;
  atLeast: number;
}

/**
 * The best near misses among some orders: the potentially nearest are checked first, until no other can be
 * among the best.
 * @param of.most how many are checked
 * @param of.side who would have to change something
 */
export function bestNearMisses(
  orders: NearOrder[],
  of: { asker: Asker; most: number; side: 'driver' | 'passenger' },
  pairOf: (slot: number) => Pair,
  hitOf: (slot: number, changed: Pair, choice: Choice) => Hit,
): Answer['nearMisses'] {
  const { asker, most, side } = of;
  orders.sort((a, b) => a.atLeast - b.atLeast || a.slot - b.slot);
  const best = new Best<Answer['nearMisses'][number]>(asker.nearMisses, ({ miss }) => miss.effort);
  for (const { slot, atLeast } of orders.slice(0, most)) {
    if (atLeast > best.limit) break;
    const pair = pairOf(slot);
    const miss = nearMissOf(pair, side, asker.nowMs);
    if (miss === null) continue;
    const changed = withChange(pair, miss);
    const choice = bestInsertion(changed.plan, changed.wish, changed.drives);
    if (choice !== null) best.add({ miss, hit: hitOf(slot, changed, choice) });
  }
  return best.sorted();
}
