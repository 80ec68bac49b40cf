import type { App } from '../../app-type.ts';
import type { OrdersService } from '../orders/service.ts';

/** The features that hold a person's data. */
export interface PrivacyFeatures {
  orders: OrdersService;
}

/** What the commands about privacy use. */
export interface PrivacyContext extends PrivacyFeatures {
  platform: App;
}
