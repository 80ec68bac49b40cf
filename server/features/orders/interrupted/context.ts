import type { App } from '../../../app-type.ts';
import type { Cascade } from '../cascade.ts';
import type { Money } from '../money.ts';
import type { Moves } from '../moves.ts';

/** What interrupting a ride depends on. */
export interface InterruptContext {
  platform: App;
  moves: Moves;
  settle: Cascade;
  money: Money;
}
