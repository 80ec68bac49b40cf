import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resendEmailCode, verifyEmail } from '#contract/access/endpoints.ts';
import { now } from '../../core/clock.ts';
import { useAction } from '../../core/queries.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/focus.ts';
import { toast } from '../../ui/toasts.tsx';
import { arrive } from './arrive.ts';
import { CodeInput, codeLength } from './code-input.tsx';
import { keepDraft, readDraft } from './draft.ts';
import { StepHeading } from './heading.tsx';
import { ResendCode } from './resend.tsx';

/** The last step of signing up: the code from the email. The sixth digit sends it. */
export function SignUpCode({ onChangeEmail }: { onChangeEmail: () => void }) {
  const { t } = useTranslation('access');
  const { email } = readDraft();
  const [code, setCode] = useState('');
  const [resendAt, setResendAt] = useState(readDraft().resendAt);

  const verify = useAction(verifyEmail, {
    onDone: arrive,
    onRefused: ({ fields }) => 'code' in fields,
  });
  const resend = useAction(resendEmailCode, {
    onDone: ({ resendAfterSeconds }) => {
      const at = now() + resendAfterSeconds * 1000;
      keepDraft({ resendAt: at });
      setResendAt(at);
      setCode('');
      verify.reset();
      toast.done(t('code.resent'));
    },
  });

  const type = (digits: string) => {
    setCode(digits);
    verify.reset();
    if (digits.length === codeLength) verify.run({ email, code: digits });
  };

  return (
    <>
      <StepHeading title={t('code.heading')}>{t('code.sentTo', { email })}</StepHeading>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          verify.run({ email, code });
        }}
      >
        <Field label={t('code.label')} error={verify.fields['code']}>
          <CodeInput ref={focusFirst} value={code} onChange={type} />
        </Field>
        <Button type="submit" full busy={verify.busy}>
          {t('code.verify')}
        </Button>
      </form>
      <div className="flex flex-col items-start gap-1">
        <ResendCode resendAt={resendAt} busy={resend.busy} onResend={() => resend.run({ email })} />
        <TextButton className="-ml-1" onClick={onChangeEmail}>
          {t('signUp.changeEmail')}
        </TextButton>
      </div>
    </>
  );
}
