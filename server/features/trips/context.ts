import type { App } from '../../app-type.ts';
import type { Boarding } from './boarding.ts';

/** What the commands of a trip depend on. */
export interface TripContext {
  platform: App;
  boarding: Boarding;
}
