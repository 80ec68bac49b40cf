import type { Serve } from '../../app-type.ts';
import { serveLicenses } from './licenses/routes.ts';
import { serveVehicles } from './vehicles/routes.ts';

export function serveDrivers(serve: Serve): void {
  serveLicenses(serve);
  serveVehicles(serve);
}
