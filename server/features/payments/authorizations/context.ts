import type { App } from '../../../app-type.ts';
import type { Accounts } from '../accounts/service.ts';
import type { Alarms } from '../alarms/service.ts';
import type { Cards } from '../cards/service.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import { authorizationDueAt } from '../rules/next-step.ts';
import type { Terms } from '../terms.ts';

/** What every command about authorizations works with. */
export interface AuthorizationContext {
  platform: App;
  provider: CardProvider;
  cards: Cards;
  accounts: Accounts;
  terms: Terms;
  alarms: Alarms;
}

/** When an authorization for a ride at `rideAt` is placed. */
export const placedAt = ({ platform }: AuthorizationContext, rideAt: Date): Date =>
  authorizationDueAt(rideAt, platform.env.HOLD_DAYS, platform.clock.now());
