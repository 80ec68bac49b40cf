import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Booking } from '#contract/rides/views.ts';
import { shortName } from '../../../domain/person/short-name.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { tryStep } from '../live/step-queue.ts';

const pinLength = 4;

/** Takes the PIN that a passenger says; the fourth digit sends it. A refused one is said under the field. */
export function PinField({ booking }: { booking: Booking }) {
  const { t } = useTranslation('rides');
  const [pin, setPin] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const name = shortName(booking.passenger.name);

  const send = async (typed: string) => {
    setIsBusy(true);
    const about = { rideId: booking.rideId, person: name };
    const tried = await tryStep('pickUp', { bookingId: booking.id, pin: typed }, about);
    setIsBusy(false);
    setPin('');
    if (tried.kind !== 'refused') return;
    setRefused(tried.words);
    input.current?.focus();
  };
  const type = (text: string) => {
    const typed = text.replace(/\D/g, '').slice(0, pinLength);
    setPin(typed);
    setRefused('');
    if (typed.length === pinLength && !isBusy) void send(typed);
  };
  return (
    <Field
      label={t('board.pinOf', { name })}
      error={refused === '' ? undefined : refused}
      className="min-w-0 flex-1"
    >
      <TextInput
        ref={input}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="done"
        placeholder="0000"
        aria-busy={isBusy}
        value={pin}
        onChange={(event) => type(event.target.value)}
        className="figures min-h-14 text-center text-title! font-semibold tracking-[0.35em] placeholder:text-line-2"
      />
    </Field>
  );
}
