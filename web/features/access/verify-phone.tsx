import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updatePhone, verifyPhone } from '#contract/access/endpoints.ts';
import { phoneText } from '../../domain/person/phone-text.ts';
import { now } from '../../core/clock.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { useAction, type Action } from '../../core/queries.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/focus.ts';
import { TextInput } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CodeInput, codeLength } from './code-input.tsx';
import { ResendCode } from './resend.tsx';

/** A number, then the code that an SMS brought to it; the sixth digit sends it. */
export function VerifyPhone({ known, onVerified }: { known: string; onVerified: (phone: string) => void }) {
  const { t } = useTranslation('access');
  const [typed, setTyped, forgetTyped] = useTextDraft('phone', phoneText(known));
  const [sent, setSent] = useState<{ phone: string; resendAt: number } | null>(null);
  const [code, setCode] = useState('');
  const send = useAction(updatePhone, {
    onDone: ({ phone, resendAfterSeconds }) => {
      if (sent !== null) toast.done(t('code.resent'));
      setSent({ phone, resendAt: now() + resendAfterSeconds * 1000 });
      setCode('');
    },
    onRefused: ({ fields }) => 'phone' in fields,
  });
  const verify = useAction(verifyPhone, {
    onDone: ({ phone }) => {
      forgetTyped();
      onVerified(phone);
    },
    onRefused: ({ fields }) => 'code' in fields,
  });

  if (sent === null) return <PhoneForm typed={typed} onTyped={setTyped} send={send} />;

  const type = (digits: string) => {
    setCode(digits);
    verify.reset();
    if (digits.length === codeLength) verify.run({ phone: sent.phone, code: digits });
  };
  return (
    <>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          verify.run({ phone: sent.phone, code });
        }}
      >
        <Field
          label={t('code.label')}
          hint={t('verifyPhone.sentTo', { phone: phoneText(sent.phone) })}
          error={verify.fields['code']}
        >
          <CodeInput ref={focusFirst} value={code} onChange={type} />
        </Field>
        <Button type="submit" full busy={verify.busy}>
          {t('code.verify')}
        </Button>
      </form>
      <div className="flex flex-col items-start gap-1">
        <ResendCode
          resendAt={sent.resendAt}
          busy={send.busy}
          onResend={() => send.run({ phone: sent.phone })}
        />
        <TextButton className="-ml-1" onClick={() => setSent(null)}>
          {t('verifyPhone.change')}
        </TextButton>
      </div>
    </>
  );
}

/** The number that the code is to be sent to. */
function PhoneForm({
  typed,
  onTyped,
  send,
}: {
  typed: string;
  onTyped: (typed: string) => void;
  send: Action<typeof updatePhone>;
}) {
  const { t } = useTranslation('access');
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send.run({ phone: typed });
      }}
    >
      <Field label={t('phone')} hint={t('accountHint')} error={send.fields['phone']}>
        <TextInput
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={32}
          value={typed}
          onChange={(event) => {
            onTyped(event.target.value);
            send.reset();
          }}
        />
      </Field>
      <Button type="submit" full busy={send.busy}>
        {t('verifyPhone.send')}
      </Button>
    </form>
  );
}
