import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { serveLicenses } from './licenses/routes.ts';
import { serveVehicles } from './vehicles/routes.ts';

export function serveDrivers(serve: Serve, app: App): void {
  serveLicenses(serve, app);
  serveVehicles(serve, app);
}
