import { createContext, type ReactNode } from 'react';
import type { Booking } from '#contract/rides/views.ts';

/**
 * What a booking's card shows of its payment. The page provides it, so that rides need not know how payments
 * are drawn; without it nothing is shown.
 */
export const BookingMoney = createContext<
  (of: { booking: Booking; side: 'driver' | 'passenger'; otherName: string; timeZone: string }) => ReactNode
>(() => null);
