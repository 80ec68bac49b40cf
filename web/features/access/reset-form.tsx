import { useEffect, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { login, retrievePassword, retrievePasswordConfirm } from '#contract/access/endpoints.ts';
import { newPasswordInput } from '#contract/form-inputs.ts';
import { now } from '../../core/clock.ts';
import { inputResolver, showFields } from '../../core/forms.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { namedBy } from './account.ts';
import { arrive } from './arrive.ts';
import { CodeInput } from './code-input.tsx';
import { keepDraft, readDraft } from './draft.ts';
import { StepHeading } from './heading.tsx';
import { PasswordInput } from './password-input.tsx';
import { keepWaitingSignIn, waitingSignIn } from './second-step-ticket.ts';
import { ResendCode } from './resend.tsx';

const fields = newPasswordInput.pick({ code: true, password: true });

/** The code from the email and the new password; then the person is signed in with it. */
export function ResetForm({
  onSignIn,
  onSecondStep,
}: {
  onSignIn: () => void;
  /** A new password does not replace the second factor. */
  onSecondStep: () => void;
}) {
  const { t } = useTranslation('access');
  const { resetTo } = readDraft();
  const named = namedBy(resetTo);
  const [resendAt, setResendAt] = useState(readDraft().resendAt);
  const form = useForm({ resolver: inputResolver(fields), defaultValues: { code: '', password: '' } });
  const enter = useAction(login, { onDone: arrive, onRefused: keepWaitingSignIn });
  const confirm = useAction(retrievePasswordConfirm, {
    onDone: (_done, { password }) => {
      toast.done(t('reset.done'));
      void enter.ask({ ...named, password }).then((user) => {
        if (user !== null) return;
        if (waitingSignIn() === null) onSignIn();
        else onSecondStep();
      });
    },
    onRefused: (refused) => showFields(refused, form.setError),
  });
  const resend = useAction(retrievePassword, {
    onDone: ({ resendAfterSeconds }) => {
      const at = now() + resendAfterSeconds * 1000;
      keepDraft({ resendAt: at });
      setResendAt(at);
      toast.done(t('code.resent'));
    },
  });
  const submit = form.handleSubmit((values) => confirm.run({ ...named, ...values }));
  const { errors } = form.formState;
  const { setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <>
      <StepHeading title={t('reset.confirmHeading')}>
        {t('reset.confirmText', { account: resetTo })}
      </StepHeading>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <input type="text" autoComplete="username" value={resetTo} readOnly hidden />
        <Field label={t('code.label')} error={errors.code?.message}>
          <Controller
            control={form.control}
            name="code"
            render={({ field }) => (
              <CodeInput ref={field.ref} value={field.value} onChange={field.onChange} />
            )}
          />
        </Field>
        <Field label={t('newPassword')} hint={t('passwordHint')} error={errors.password?.message}>
          <PasswordInput autoComplete="new-password" {...form.register('password')} />
        </Field>
        <Button type="submit" full busy={confirm.busy || enter.busy}>
          {t('reset.save')}
        </Button>
      </form>
      <ResendCode resendAt={resendAt} busy={resend.busy} onResend={() => resend.run(named)} />
    </>
  );
}
