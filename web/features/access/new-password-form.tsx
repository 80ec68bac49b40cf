import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { newPassword, signup } from '#contract/access/endpoints.ts';
import { now } from '../../core/clock.ts';
import { inputResolver, showFields } from '../../core/forms.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { keepDraft } from './draft.ts';
import { PasswordInput } from './password-input.tsx';

const passwordOnly = z.object({ password: newPassword });

/** The password of a new account; sends the code to the e-mail. */
export function NewPasswordForm({
  email,
  onSent,
  onEmailRefused,
}: {
  email: string;
  onSent: () => void;
  /** The e-mail has an account already, or may have none. */
  onEmailRefused: (reason: string) => void;
}) {
  const { t } = useTranslation('access');
  const form = useForm({ resolver: inputResolver(passwordOnly), defaultValues: { password: '' } });
  const start = useAction(signup, {
    onDone: ({ resendAfterSeconds }) => {
      keepDraft({ resendAt: now() + resendAfterSeconds * 1000 });
      onSent();
    },
    onRefused: (refused) => {
      if ('password' in refused.fields) return showFields(refused, form.setError);
      if ('email' in refused.fields) onEmailRefused(refused.reason);
      return false;
    },
  });
  const { setFocus } = form;
  useEffect(() => setFocus('password'), [setFocus]);
  const submit = form.handleSubmit(({ password }) =>
    start.run({ email, password, language: currentLanguage() }),
  );
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {/* Password managers file the new password under this name. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field label={t('password')} hint={t('passwordHint')} error={form.formState.errors.password?.message}>
        <PasswordInput autoComplete="new-password" {...form.register('password')} />
      </Field>
      <Button type="submit" full busy={start.busy}>
        {t('signUp.sendCode')}
      </Button>
    </form>
  );
}
