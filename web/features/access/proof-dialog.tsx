import { useEffect, useEffectEvent, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { prove, proveOptions, sendProofCode } from '#contract/access/second-factor.ts';
import type { OutputOf } from '#contract/define.ts';
import { useAction } from '../../core/queries.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CodeInput, codeLength } from './code-input.tsx';
import { FactorSteps } from './factor-steps.tsx';
import { PasswordInput } from './password-input.tsx';

type Options = OutputOf<typeof proveOptions>;

/** Asks a signed-in person to confirm their identity; afterwards the app repeats the call that needed it. */
export function ProofDialog({ onSettled }: { onSettled: (isProved: boolean) => void }) {
  const { t } = useTranslation(['security', 'common']);
  const [options, setOptions] = useState<Options | null>(null);
  const read = useAction(proveOptions, {
    onDone: setOptions,
    onRefused: () => {
      onSettled(false);
      return false;
    },
  });
  const begin = useEffectEvent(() => read.run({}));
  useEffect(() => begin(), []);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onSettled(false)}
      title={t('security:proof.title')}
      description={t('security:proof.text')}
      closeLabel={t('common:close')}
    >
      {options === null ? (
        <Skeleton label={t('common:loading')} rows={2} />
      ) : (
        <Proof
          options={options}
          onCeremony={async () => (await read.ask({}))?.ceremony ?? null}
          onProved={() => onSettled(true)}
        />
      )}
    </Dialog>
  );
}

function Proof({
  options: { ways },
  onCeremony,
  onProved,
}: {
  options: Options;
  onCeremony: () => Promise<Options['ceremony']>;
  onProved: () => void;
}) {
  const { t } = useTranslation('security');
  const act = useAction(prove, {
    onDone: onProved,
    onRefused: ({ fields }) => 'password' in fields || 'code' in fields,
  });
  if (ways.includes('password')) return <ByPassword act={act} />;
  if (ways.includes('email')) return <ByEmail act={act} />;
  return (
    <FactorSteps
      ways={ways}
      submitLabel={t('proof.confirm')}
      busy={act.busy}
      error={act.fields['code']}
      onCeremony={onCeremony}
      onGive={act.run}
    />
  );
}

type Act = ReturnType<typeof useAction<typeof prove>>;

function ByPassword({ act }: { act: Act }) {
  const { t } = useTranslation('security');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== '') act.run({ password });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Field label={t('proof.password')} error={act.fields['password']}>
        <PasswordInput
          autoComplete="current-password"
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            act.reset();
          }}
        />
      </Field>
      <Button type="submit" full busy={act.busy} disabled={password === ''}>
        {t('proof.confirm')}
      </Button>
    </form>
  );
}

function ByEmail({ act }: { act: Act }) {
  const { t } = useTranslation('security');
  const [code, setCode] = useState('');
  const [isSent, setSent] = useState(false);
  const send = useAction(sendProofCode, {
    onDone: () => {
      setSent(true);
      toast.done(t('proof.sent'));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSent) send.run({});
    else if (code.length === codeLength) act.run({ code });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {isSent ? (
        <Field label={t('proof.emailCode')} error={act.fields['code']}>
          <CodeInput value={code} onChange={setCode} />
        </Field>
      ) : (
        <p className="text-body text-ink-2">{t('proof.email')}</p>
      )}
      <Button type="submit" full busy={act.busy || send.busy} disabled={isSent && code.length < codeLength}>
        {t(isSent ? 'proof.confirm' : 'proof.send')}
      </Button>
      {isSent && (
        <TextButton className="-ml-1 self-start" disabled={send.busy} onClick={() => send.run({})}>
          {t('proof.send')}
        </TextButton>
      )}
    </form>
  );
}
