import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { signup } from '#contract/access/endpoints.ts';
import { signupInput } from '#contract/form-inputs.ts';
import { now } from '../../core/clock.ts';
import { inputResolver, showFields } from '../../core/forms.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { useAllowedDomains } from './allowed-domains.ts';
import { keepDraft, readDraft, useKeptTyping } from './draft.ts';
import { PasswordInput } from './password-input.tsx';

const fields = signupInput.pick({ email: true, phone: true, password: true });

/** E-mail, phone number if wanted, and password on one form; sends the code. */
export function ClassicSignUp({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation(['access', 'common']);
  const { hint, refusal } = useAllowedDomains();
  const kept = readDraft();
  const form = useForm({
    resolver: inputResolver(fields),
    defaultValues: { email: kept.typed || kept.email, phone: kept.typedPhone, password: '' },
  });
  useKeptTyping(form, { typed: 'email', typedPhone: 'phone' });
  const start = useAction(signup, {
    onDone: ({ resendAfterSeconds }, { email }) => {
      keepDraft({ email, resendAt: now() + resendAfterSeconds * 1000 });
      onSent();
    },
    onRefused: (refused) => showFields(refused, form.setError),
  });
  const submit = form.handleSubmit((values) => {
    const refused = refusal(values.email);
    if (refused === null) start.run({ ...values, language: currentLanguage() });
    else form.setError('email', { type: 'refused', message: refused }, { shouldFocus: true });
  });
  const { errors } = form.formState;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t('access:email')} hint={hint} error={errors.email?.message}>
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
      <Field
        label={t('access:phone')}
        note={t('common:optional')}
        hint={t('access:accountHint')}
        error={errors.phone?.message}
      >
        <TextInput
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="next"
          {...form.register('phone')}
        />
      </Field>
      <Field label={t('access:password')} hint={t('access:passwordHint')} error={errors.password?.message}>
        <PasswordInput autoComplete="new-password" enterKeyHint="go" {...form.register('password')} />
      </Field>
      <Button type="submit" full busy={start.busy}>
        {t('access:signUp.sendCode')}
      </Button>
    </form>
  );
}
