import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { email } from '#contract/access/endpoints.ts';
import { inputResolver } from '../../core/forms.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { readDraft, useKeptTyping } from './draft.ts';

const emailOnly = z.object({ email });

/** One e-mail and a button. `onEmail` answers with what is wrong with it, or null. */
export function EmailForm({
  hint,
  submitLabel,
  busy = false,
  onEmail,
}: {
  hint?: string | undefined;
  submitLabel: string;
  busy?: boolean;
  onEmail: (email: string) => Promise<string | null>;
}) {
  const { t } = useTranslation('access');
  const kept = readDraft();
  const form = useForm({
    resolver: inputResolver(emailOnly),
    defaultValues: { email: kept.typed || kept.email },
  });
  useKeptTyping(form, { typed: 'email' });
  const submit = form.handleSubmit(async (values) => {
    const wrong = await onEmail(values.email);
    if (wrong !== null) form.setError('email', { type: 'refused', message: wrong }, { shouldFocus: true });
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t('email')} hint={hint} error={form.formState.errors.email?.message}>
        <TextInput
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="next"
          {...form.register('email')}
        />
      </Field>
      <Button type="submit" full busy={busy}>
        {submitLabel}
      </Button>
    </form>
  );
}
