import { stored } from './stored.ts';

export type Side = 'driver' | 'passenger';

/** The address of each half of the Carpool tab. */
export const homeOf = { driver: '/', passenger: '/pages/passenger/passenger' } as const satisfies Record<
  Side,
  string
>;

const startSide = stored('startSide', (raw): Side => (raw === 'passenger' ? 'passenger' : 'driver'));

/**
 * The half of the Carpool tab that opens first: the driver's, unless the person has chosen the other one in
 * the introduction or the settings.
 */
export const readStartSide = startSide.read;
export const chooseStartSide = startSide.write;
/** Calls the listener on every change. */
export const followStartSide = startSide.subscribe;
