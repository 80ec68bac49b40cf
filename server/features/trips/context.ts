import type { App } from '../../app-type.ts';
import type { OrdersService } from '../orders/service.ts';
import type { Boarding } from './boarding.ts';

/** What the commands of a trip depend on. */
export interface TripContext {
  platform: App;
  orders: OrdersService;
  boarding: Boarding;
}
