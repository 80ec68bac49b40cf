import type { Ref } from 'react';
import { TextInput } from '../../ui/inputs.tsx';

export const codeLength = 6;

/**
 * The six digits of an email in one box: phones offer the code from the mail, and pasting with spaces works.
 */
export function CodeInput({
  value,
  onChange,
  ref,
}: {
  value: string;
  onChange: (digits: string) => void;
  ref?: Ref<HTMLInputElement>;
}) {
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="one-time-code"
      enterKeyHint="done"
      ref={ref}
      value={value}
      onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, codeLength))}
      className="figures min-h-14 text-center text-title! font-semibold tracking-[0.35em]"
    />
  );
}
