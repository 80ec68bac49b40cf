import {
  createAddress,
  deleteAddress,
  listAddresses,
  reversePlace,
  searchPlaces,
  updateAddress,
} from '#contract/geo/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { GeoService } from './service.ts';

export function serveGeo(serve: Serve, geo: GeoService): void {
  serve(searchPlaces, async ({ text, lon, lat }) => {
    const near = lon === undefined || lat === undefined ? undefined : { lon, lat };
    return { places: await geo.search(text, near) };
  });
  serve(reversePlace, (at) => geo.reverse(at));
  serve(listAddresses, (_input, caller) => geo.list(caller.userId));
  serve(createAddress, (fields, caller) => geo.create(caller.userId, fields));
  serve(updateAddress, (fields, caller) => geo.update(caller.userId, fields));
  serve(deleteAddress, async ({ id }, caller) => {
    await geo.remove(caller.userId, id);
    return {};
  });
}
