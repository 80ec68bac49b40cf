import { KeyRound } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '#contract/access/device.ts';
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
  type Passkey,
} from '#contract/access/second-factor.ts';
import { makePasskey } from '../../core/make-passkey.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** The person's passkeys, with buttons to add, rename and remove them. */
export function PasskeyList({
  passkeys,
  worksAt,
  onFresh,
}: {
  passkeys: readonly Passkey[];
  /** The host name that passkeys belong to; null if this server has none. */
  worksAt: string | null;
  onFresh: (recoveryCodes: string[]) => void;
}) {
  const { t } = useTranslation(['security', 'common']);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const remove = useAction(removePasskey, {
    invalidates: ['/access/'],
    onDone: () => {
      setRemoved(null);
      toast.done(t('security:passkeys.removed'));
    },
  });
  return (
    <Section title={t('security:passkeys.title')}>
      <p className="pb-2 text-body text-ink-2">{t('security:passkeys.text')}</p>
      {passkeys.length > 0 && (
        <List label={t('security:passkeys.title')}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onRemove={() => setRemoved(passkey)}
            />
          ))}
        </List>
      )}
      <div className="pt-2">
        <AddPasskey worksAt={worksAt} onFresh={onFresh} />
      </div>
      <Dialog
        open={renamed !== null}
        onOpenChange={(open) => !open && setRenamed(null)}
        title={t('security:passkeys.renameTitle')}
        closeLabel={t('common:close')}
      >
        {renamed !== null && <Rename key={renamed.id} passkey={renamed} onDone={() => setRenamed(null)} />}
      </Dialog>
      <Confirm
        open={removed !== null}
        onOpenChange={(open) => !open && setRemoved(null)}
        title={t('security:passkeys.removeTitle', { name: removed?.name ?? '' })}
        text={t('security:passkeys.removeText')}
        confirmLabel={t('security:passkeys.remove')}
        cancelLabel={t('common:cancel')}
        busy={remove.busy}
        onConfirm={() => removed !== null && remove.run({ id: removed.id })}
      />
    </Section>
  );
}

function PasskeyRow({
  passkey: { name, usedAt, createdAt, isBackedUp },
  onRename,
  onRemove,
}: {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation('security');
  const format = useFormat();
  const used =
    usedAt === null
      ? t('passkeys.unused', { when: format.relative(createdAt) })
      : t('passkeys.used', { when: format.relative(usedAt) });
  return (
    <ListRow
      leading={<KeyRound aria-hidden className="text-ink-2" />}
      title={name}
      detail={isBackedUp ? `${used} · ${t('passkeys.backedUp')}` : used}
      trailing={
        <span className="flex flex-wrap justify-end">
          <TextButton aria-label={t('passkeys.renameNamed', { name })} onClick={onRename}>
            {t('passkeys.rename')}
          </TextButton>
          <TextButton tone="danger" aria-label={t('passkeys.removeNamed', { name })} onClick={onRemove}>
            {t('passkeys.remove')}
          </TextButton>
        </span>
      }
    />
  );
}

/** Creates a passkey on this device, named after the device. */
function AddPasskey({
  worksAt,
  onFresh,
}: {
  worksAt: string | null;
  onFresh: (recoveryCodes: string[]) => void;
}) {
  const { t } = useTranslation('security');
  const [making, setMaking] = useState(false);
  const begin = useAction(beginPasskey);
  const add = useAction(addPasskey, {
    invalidates: ['/access/'],
    onDone: ({ recoveryCodes }) => {
      toast.done(t('passkeys.added'));
      onFresh(recoveryCodes);
    },
  });
  if (worksAt !== null && worksAt !== location.hostname)
    return <p className="text-small text-ink-3">{t('passkeys.otherName', { host: worksAt })}</p>;
  if (worksAt === null || !('PublicKeyCredential' in window))
    return <p className="text-small text-ink-3">{t('passkeys.unsupported')}</p>;
  const make = async () => {
    setMaking(true);
    const ceremony = await begin.ask({});
    const made = ceremony && (await makePasskey(ceremony.options));
    setMaking(false);
    if (ceremony === null) return;
    if (made === null || made === 'known')
      toast.error(t(made === null ? 'passkeys.dismissed' : 'passkeys.known'));
    else
      add.run({
        challengeId: ceremony.challengeId,
        passkey: made,
        name: deviceName(navigator.userAgent) || 'Passkey',
      });
  };
  return (
    <Button
      tone="quiet"
      full
      busy={making || add.busy}
      icon={<KeyRound aria-hidden className="size-5" />}
      onClick={() => void make()}
    >
      {t('passkeys.add')}
    </Button>
  );
}

function Rename({ passkey: { id, name }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useTranslation('security');
  const [typed, setTyped] = useState(name);
  const rename = useAction(renamePasskey, {
    invalidates: ['/access/'],
    onDone: () => {
      onDone();
      toast.done(t('passkeys.renamed'));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '') rename.run({ id, name: typed });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Field label={t('passkeys.name')} error={rename.fields['name']}>
        <TextInput value={typed} maxLength={60} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      <Button type="submit" full busy={rename.busy} disabled={typed.trim() === ''}>
        {t('passkeys.save')}
      </Button>
    </form>
  );
}
