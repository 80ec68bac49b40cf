/** The version of Stripe's API that the sandbox speaks; the app asks Stripe itself in the same one. */
export const apiVersion = '2026-10-28.endive';

/**
 * The field of a setup's metadata that says where its hosted page returns to; Stripe itself only keeps it.
 */
export const returnAddressName = 'sameway_return_url';
