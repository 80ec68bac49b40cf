import type { Serve } from '../../platform/http/http-server.ts';
import { serveLicenses } from './licenses/routes.ts';
import type { DriversService } from './service.ts';
import { serveVehicles } from './vehicles/routes.ts';

export function serveDrivers(serve: Serve, { licenses, vehicles }: DriversService): void {
  serveLicenses(serve, licenses);
  serveVehicles(serve, vehicles);
}
