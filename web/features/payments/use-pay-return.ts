import { useNavigate } from '@tanstack/react-router';
import { paymentMethods } from '#contract/payments/endpoints.ts';
import { useEffect, useRef } from 'react';
import type { Booking } from '#contract/rides/views.ts';
import { call } from '../../core/api.ts';
import { usePageSearch } from '../../core/navigation.ts';
import { useAuthorize } from '../../domain/money/use-authorize.ts';

/**
 * Back from the card page (`pay` names the booking) or from the bank (which adds its own words to the
 * address): pays with the card just added, or asks the server once for the state of the payment; and takes
 * those words out of the address, so that a reload asks nothing again.
 */
export function usePayReturn(id: string, bookings: readonly Booking[] | undefined, timeZone: string): void {
  const navigate = useNavigate();
  const { pay, payment_intent: fromBank, redirect_status: result } = usePageSearch('/pages/order/detail');
  const { run } = useAuthorize(timeZone);
  const asked = useRef(false);
  const isReturn = pay !== undefined || fromBank !== undefined || result !== undefined;
  useEffect(() => {
    if (!isReturn || bookings === undefined || asked.current) return;
    asked.current = true;
    const booking = bookings.find((each) => each.id === pay) ?? bookings.find(isToPay);
    // A person who came back from the card page without a card has nothing to be asked about.
    const hasCard = fromBank !== undefined || result === 'succeeded';
    const settle = async (bookingId: string) => {
      if (pay === undefined) return run({ bookingId });
      const { methods } = await call(paymentMethods, {});
      const newest = methods[0];
      run({ bookingId, ...(newest === undefined ? {} : { methodId: newest.id }) });
    };
    // A failure is shown to the person already, and the button is still there.
    if (booking !== undefined && isToPay(booking) && hasCard) settle(booking.id).catch(() => {});
    void navigate({ to: '/pages/order/detail', search: { id }, replace: true });
  }, [isReturn, bookings, pay, fromBank, result, id, navigate, run]);
}

const isToPay = ({ awaits, payment }: Booking): boolean => awaits === 'payment' || payment?.need != null;
