import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { serveLicenses } from './licenses/routes.ts';
import type { DriversService } from './service.ts';
import { serveVehicles } from './vehicles/routes.ts';

export function serveDrivers(serve: Serve, app: App, { licenses }: DriversService): void {
  serveLicenses(serve, licenses);
  serveVehicles(serve, app);
}
