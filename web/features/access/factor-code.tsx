import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { CodeInput } from './code-input.tsx';

/** The field for a code of an authenticator app, or for a recovery code. */
export function FactorCode({
  way,
  value,
  error,
  onChange,
}: {
  way: 'totp' | 'recovery';
  value: string;
  error: string | undefined;
  onChange: (code: string) => void;
}) {
  const { t } = useTranslation('security');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  if (way === 'totp')
    return (
      <Field label={t('step.codeLabel')} error={error}>
        <CodeInput ref={input} value={value} onChange={onChange} />
      </Field>
    );
  return (
    <Field label={t('step.recoveryLabel')} error={error}>
      <TextInput
        ref={input}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="done"
        value={value}
        maxLength={40}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
