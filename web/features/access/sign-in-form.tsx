import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { login, resendEmailCode } from '#contract/access/endpoints.ts';
import { loginInput } from '#contract/form-inputs.ts';
import { errorWords } from '../../core/errors.ts';
import { inputResolver } from '../../core/forms.ts';
import { useAction } from '../../core/queries.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { now } from '../../core/clock.ts';
import { account, looksLikePhone, namedBy } from './account.ts';
import { arrive } from './arrive.ts';
import { keepDraft, readDraft, useKeptTyping } from './draft.ts';
import { keepWaitingSignIn } from './second-step-ticket.ts';
import { PasswordInput } from './password-input.tsx';

const signInFields = z.object({
  account,
  password: loginInput.shape.password,
});

/** The form as it is filled in, and signing in; without a verified address another code is sent to it. */
function useSignIn(onNotVerified: () => void, onSecondStep: () => void) {
  const [known] = useState(readDraft().email);
  const form = useForm({
    resolver: inputResolver(signInFields),
    defaultValues: { account: readDraft().typed || known, password: '' },
  });
  useKeptTyping(form, { typed: 'account' });
  const resend = useAction(resendEmailCode, {
    onDone: ({ resendAfterSeconds }) => keepDraft({ resendAt: now() + resendAfterSeconds * 1000 }),
    // Asked for less than a minute ago: that code still works.
    onRefused: () => true,
  });
  const enter = useAction(login, {
    onDone: arrive,
    onRefused: (refused) => {
      if (refused.reason === 'access.notVerified') {
        const address = form.getValues('account');
        keepDraft({ email: address });
        void resend.ask({ email: address }).then(onNotVerified);
        return true;
      }
      if (keepWaitingSignIn(refused)) {
        onSecondStep();
        return true;
      }
      if (refused.reason !== 'access.wrong') return false;
      form.setError('password', { type: 'server', message: errorWords(refused) }, { shouldFocus: true });
      return true;
    },
  });
  const { setFocus } = form;
  // With the e-mail known, the password is all that is asked.
  useEffect(() => {
    if (known !== '') setFocus('password');
  }, [known, setFocus]);
  const submit = form.handleSubmit(({ account: typed, password }) =>
    enter.run({ ...namedBy(typed), password }),
  );
  return { form, busy: enter.busy || resend.busy, submit };
}

/** E-mail or phone number, and the password. */
export function SignInForm({
  onForgot,
  onNotVerified,
  onSecondStep,
}: {
  onForgot: () => void;
  /** The password is right, and the account has a second factor. */
  onSecondStep: () => void;
  /** The password is right and the code is still to come: it has been sent again. */
  onNotVerified: () => void;
}) {
  const { t } = useTranslation(['access', 'common']);
  const { form, busy, submit } = useSignIn(onNotVerified, onSecondStep);
  const { account: wrongAccount, password: wrongPassword } = form.formState.errors;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t('access:account')} hint={t('access:accountHint')} error={wrongAccount?.message}>
        <TextInput
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="next"
          {...form.register('account')}
        />
      </Field>
      <Field label={t('access:password')} error={wrongPassword?.message}>
        <PasswordInput autoComplete="current-password" enterKeyHint="go" {...form.register('password')} />
      </Field>
      <Button type="submit" full busy={busy}>
        {t('common:signIn')}
      </Button>
      <TextButton
        className="-ml-1 self-start"
        onClick={() => {
          const typed = form.getValues('account').trim();
          keepDraft({ resetTo: typed, ...(!looksLikePhone(typed) && { email: typed }) });
          onForgot();
        }}
      >
        {t('access:signIn.forgot')}
      </TextButton>
    </form>
  );
}
