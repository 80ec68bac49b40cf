import { z } from 'zod';
import { defineEndpoint, minuteSeconds, type RateLimit } from '../define.ts';
import { id, mostPerPage, oneLine, place } from '../units.ts';

/** The most places that a person can save. */
export const mostShortcuts = 50;
export const placeKinds = ['town', 'street', 'address', 'place', 'airport'] as const;
export const shortcutLabels = ['home', 'work', 'other', 'labeled'] as const;

export const foundPlace = place.extend({
  id: z.string(),
  kind: z.enum(placeKinds),
  category: z.string(),
});
export type FoundPlace = z.output<typeof foundPlace>;

export const shortcut = place.extend({
  id: z.string(),
  label: z.enum(shortcutLabels),
  /** The person's own name for a `labeled` shortcut. */
  labelText: z.string(),
});
export type Shortcut = z.output<typeof shortcut>;

const shortcutFields = place.extend({
  label: z.enum(shortcutLabels),
  labelText: oneLine(40).default(''),
});

/** One search per typed letter, for a household behind one address. */
const placesLimit: RateLimit = {
  countedAs: 'places',
  per: 'caller',
  most: 300,
  withinSeconds: minuteSeconds,
};

export const searchPlaces = defineEndpoint({
  method: 'GET',
  path: '/address/search',
  who: 'guest',
  summary: 'Street addresses, named places, towns and airports that match the text, nearest and best first.',
  limits: [placesLimit],
  input: z.object({
    text: oneLine(200).min(1, 'Please enter a place.'),
    lon: z.coerce.number().min(-180).max(180).optional(),
    lat: z.coerce.number().min(-90).max(90).optional(),
  }),
  output: z.object({ places: z.array(foundPlace).max(mostPerPage) }),
  refusals: [],
});

export const reversePlace = defineEndpoint({
  method: 'GET',
  path: '/address/reverse',
  who: 'guest',
  summary: 'The address at a point on the map. Refused if no road leads there.',
  limits: [placesLimit],
  input: z.object({ lon: z.coerce.number().min(-180).max(180), lat: z.coerce.number().min(-90).max(90) }),
  output: foundPlace,
  refusals: ['place.noRoadNear', 'place.tooFar'],
});

export const listAddresses = defineEndpoint({
  method: 'GET',
  path: '/address/list',
  who: 'user',
  summary: 'My saved places and the places I used lately.',
  input: z.object({}),
  output: z.object({
    shortcuts: z.array(shortcut).max(mostShortcuts),
    recent: z.array(place).max(mostPerPage),
  }),
  refusals: [],
});

export const createAddress = defineEndpoint({
  method: 'POST',
  path: '/address/create',
  who: 'user',
  summary: 'Saves a place.',
  input: shortcutFields,
  output: shortcut,
  refusals: ['place.noRoadNear', 'place.tooFar', 'address.tooMany'],
});

export const updateAddress = defineEndpoint({
  method: 'POST',
  path: '/address/update',
  who: 'user',
  summary: 'Changes a saved place.',
  input: shortcutFields.extend({ id }),
  output: shortcut,
  refusals: ['address.notFound', 'place.noRoadNear', 'place.tooFar'],
});

export const deleteAddress = defineEndpoint({
  method: 'POST',
  path: '/address/delete',
  who: 'user',
  summary: 'Removes a saved place.',
  input: z.object({ id }),
  output: z.object({}),
  refusals: ['address.notFound'],
});
