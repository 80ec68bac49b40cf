import * as calls from '#contract/geo/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { reversePlace } from './approximate-place.ts';
import { searchPlaces } from './search-places.ts';
import { createShortcut, listShortcuts, removeShortcut, updateShortcut } from './shortcuts.ts';

export function serveGeo(serve: Serve): void {
  serve(calls.searchPlaces, async (app, { text, lon, lat }) => {
    const near = lon === undefined || lat === undefined ? undefined : { lon, lat };
    return { places: await searchPlaces(app, text, near) };
  });
  serve(calls.reversePlace, (app, at) => reversePlace(app, at));
  serve(calls.listAddresses, (app, _input, caller) => listShortcuts(app, caller.userId));
  serve(calls.createAddress, (app, fields, caller) => createShortcut(app, caller.userId, fields));
  serve(calls.updateAddress, (app, fields, caller) => updateShortcut(app, caller.userId, fields));
  serve(calls.deleteAddress, (app, { id }, caller) => removeShortcut(app, caller.userId, id));
}
