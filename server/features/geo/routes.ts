import * as calls from '#contract/geo/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { reversePlace } from './reverse-place.ts';
import { searchPlaces } from './search-places.ts';
import { createShortcut, listShortcuts, removeShortcut, updateShortcut } from './shortcuts.ts';

export function serveGeo(serve: Serve, app: App): void {
  serve(calls.searchPlaces, async ({ text, lon, lat }) => {
    const near = lon === undefined || lat === undefined ? undefined : { lon, lat };
    return { places: await searchPlaces(app, text, near) };
  });
  serve(calls.reversePlace, (at) => reversePlace(app, at));
  serve(calls.listAddresses, (_input, caller) => listShortcuts(app, caller.userId));
  serve(calls.createAddress, (fields, caller) => createShortcut(app, caller.userId, fields));
  serve(calls.updateAddress, (fields, caller) => updateShortcut(app, caller.userId, fields));
  serve(calls.deleteAddress, async ({ id }, caller) => {
    await removeShortcut(app, caller.userId, id);
    return {};
  });
}
