import { z } from 'zod';

/**
 * Preferences that two people who share a car know of each other first. On a ride: pets are welcome, there is
 * room for large luggage, the driver prefers quiet. On a request: a pet comes along, large luggage does, the
 * passenger prefers quiet. A pet or luggage must be welcome; quiet only affects the ranking. Women ride with
 * women where both have chosen it and both profiles say so.
 */
export const preferenceNames = ['pets', 'luggage', 'quiet', 'women'] as const;
export type PreferenceName = (typeof preferenceNames)[number];
export type Preferences = Record<PreferenceName, boolean>;

export const noPreferences: Preferences = { pets: false, luggage: false, quiet: false, women: false };

const wish = z.boolean().default(false);
/** As entered; a missing one is off. */
export const preferencesInput = z
  .object({ pets: wish, luggage: wish, quiet: wish, women: wish })
  .default(noPreferences);

/** As shown; `women` only to the order's owner. */
export const preferences = z.object({
  pets: z.boolean(),
  luggage: z.boolean(),
  quiet: z.boolean(),
  women: z.boolean(),
});

/** Preference names in a query, joined by commas. */
export const preferencesQuery = z
  .string()
  .regex(/^((pets|luggage|quiet|women)(,|$)){0,4}$/, 'Please choose from the preferences.')
  .default('');

/** The preferences of a query. */
export const preferencesOf = (query: string): Preferences => {
  const named = query.split(',');
  return {
    pets: named.includes('pets'),
    luggage: named.includes('luggage'),
    quiet: named.includes('quiet'),
    women: named.includes('women'),
  };
};
