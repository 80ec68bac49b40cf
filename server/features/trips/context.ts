import type { Platform } from '../../platform/platform.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { OrdersService } from '../orders/service.ts';
import type { PaymentsService } from '../payments/service.ts';
import type { Boarding } from './boarding.ts';

/** What the commands of a trip depend on. */
export interface TripContext {
  platform: Platform;
  orders: OrdersService;
  identity: IdentityService;
  payments: PaymentsService;
  geo: GeoService;
  boarding: Boarding;
}
