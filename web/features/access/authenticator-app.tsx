import { ShieldCheck } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { beginTotp, confirmTotp, removeTotp } from '#contract/access/second-factor.ts';
import type { OutputOf } from '#contract/define.ts';
import { copyText } from '../../core/copy.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CodeInput, codeLength } from './code-input.tsx';

const qrSize = 200;

/** Shows whether an authenticator app is on, and sets one up or turns it off. */
export function AuthenticatorApp({
  since,
  onFresh,
}: {
  since: string | null;
  onFresh: (recoveryCodes: string[]) => void;
}) {
  const { t } = useTranslation(['security', 'common']);
  const format = useFormat();
  const [setup, setSetup] = useState<OutputOf<typeof beginTotp> | null>(null);
  const begin = useAction(beginTotp, { onDone: setSetup });
  return (
    <Section title={t('security:totp.title')}>
      {since === null ? (
        <>
          <p className="pb-2 text-body text-ink-2">{t('security:totp.text')}</p>
          <div className="pt-2">
            <Button
              tone="quiet"
              full
              busy={begin.busy}
              icon={<ShieldCheck aria-hidden className="size-5" />}
              onClick={() => begin.run({})}
            >
              {t('security:totp.setUp')}
            </Button>
          </div>
        </>
      ) : (
        <List>
          <ListRow
            leading={<ShieldCheck aria-hidden className="text-ink-2" />}
            title={t('security:totp.title')}
            detail={t('security:totp.on', { when: format.longDate(since) })}
            trailing={<TurnOff />}
          />
        </List>
      )}
      <Dialog
        open={setup !== null}
        onOpenChange={(open) => !open && setSetup(null)}
        title={t('security:totp.setUpTitle')}
        closeLabel={t('common:close')}
      >
        {setup !== null && (
          <SetUp
            setup={setup}
            onDone={(codes) => {
              setSetup(null);
              toast.done(t('security:totp.done'));
              onFresh(codes);
            }}
          />
        )}
      </Dialog>
    </Section>
  );
}

/** Turns the app off, after asking once. */
function TurnOff() {
  const { t } = useTranslation(['security', 'common']);
  const [asking, setAsking] = useState(false);
  const remove = useAction(removeTotp, {
    invalidates: ['/access/'],
    onDone: () => {
      setAsking(false);
      toast.done(t('security:totp.removed'));
    },
  });
  return (
    <>
      <TextButton tone="danger" onClick={() => setAsking(true)}>
        {t('security:totp.remove')}
      </TextButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('security:totp.removeTitle')}
        text={t('security:totp.removeText')}
        confirmLabel={t('security:totp.remove')}
        cancelLabel={t('common:cancel')}
        busy={remove.busy}
        onConfirm={() => remove.run({})}
      />
    </>
  );
}

/** Shows the secret as a QR code and as text, and asks for the first code. */
function SetUp({
  setup: { secret, uri },
  onDone,
}: {
  setup: OutputOf<typeof beginTotp>;
  onDone: (recoveryCodes: string[]) => void;
}) {
  const { t } = useTranslation('security');
  const [code, setCode] = useState('');
  const confirm = useAction(confirmTotp, {
    invalidates: ['/access/'],
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
    onRefused: ({ fields }) => 'code' in fields,
  });
  const copy = async () => {
    if (await copyText(secret)) toast.done(t('totp.copied'));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === codeLength) confirm.run({ code });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <p className="text-body text-ink-2">{t('totp.scan')}</p>
      <div className="self-center rounded-control bg-white p-2">
        <QrCode value={uri} title={t('totp.qr')} size={qrSize} />
      </div>
      <div>
        <p className="text-body text-ink-2">{t('totp.type')}</p>
        <p className="pt-1 font-mono text-body select-all">{secret.match(/.{1,4}/g)?.join(' ')}</p>
        <TextButton className="-ml-1" onClick={() => void copy()}>
          {t('totp.copy')}
        </TextButton>
      </div>
      <Field label={t('totp.code')} error={confirm.fields['code']}>
        <CodeInput
          value={code}
          onChange={(digits) => {
            setCode(digits);
            confirm.reset();
          }}
        />
      </Field>
      <Button type="submit" full busy={confirm.busy} disabled={code.length < codeLength}>
        {t('totp.confirm')}
      </Button>
    </form>
  );
}
