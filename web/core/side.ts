import { stored } from './stored.ts';

export type Side = 'driver' | 'passenger';

/** The address of each half of the Carpool tab. */
export const homeOf = { driver: '/', passenger: '/pages/passenger/passenger' } as const satisfies Record<
  Side,
  string
>;

const side = stored('side', (raw): Side => (raw === 'passenger' ? 'passenger' : 'driver'));

/** The half of the Carpool tab that the person used last: the app opens there again. */
export const readSide = side.read;
export const rememberSide = side.write;
/** Calls the listener on every change. */
export const followSide = side.subscribe;
