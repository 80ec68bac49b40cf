import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { retrievePassword } from '#contract/access/endpoints.ts';
import { now } from '../../core/clock.ts';
import { inputResolver } from '../../core/forms.ts';
import { useAction } from '../../core/queries.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { account, namedBy } from './account.ts';
import { keepDraft, readDraft, useKeptTyping } from './draft.ts';
import { StepHeading } from './heading.tsx';

const fields = z.object({ account });

/** Asks where the code for a new password should go, and sends it there. */
export function ForgotForm({ onSent, onBack }: { onSent: () => void; onBack: () => void }) {
  const { t } = useTranslation('access');
  const { resetTo, email, typed: kept } = readDraft();
  const form = useForm({
    resolver: inputResolver(fields),
    defaultValues: { account: kept || resetTo || email },
  });
  useKeptTyping(form, { typed: 'account' });
  const sent = (resendAfterSeconds: number) => {
    keepDraft({ resendAt: now() + resendAfterSeconds * 1000 });
    onSent();
  };
  const send = useAction(retrievePassword, {
    onDone: ({ resendAfterSeconds }) => sent(resendAfterSeconds),
    onRefused: ({ code, data }) => {
      const { retryAfterSeconds } = data;
      // Asked for less than a minute ago: the code of that email still works.
      if (code !== 429 || typeof retryAfterSeconds !== 'number' || retryAfterSeconds > 60) return false;
      sent(retryAfterSeconds);
      return true;
    },
  });
  const submit = form.handleSubmit(({ account: typed }) => {
    keepDraft({ resetTo: typed });
    send.run(namedBy(typed));
  });
  return (
    <>
      <StepHeading title={t('reset.heading')}>{t('reset.text')}</StepHeading>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field label={t('account')} hint={t('accountHint')} error={form.formState.errors.account?.message}>
          <TextInput
            type="text"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="go"
            {...form.register('account')}
          />
        </Field>
        <Button type="submit" full busy={send.busy}>
          {t('signUp.sendCode')}
        </Button>
      </form>
      <TextButton className="-ml-1 self-start" onClick={onBack}>
        {t('reset.back')}
      </TextButton>
    </>
  );
}
