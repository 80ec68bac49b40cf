import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isPermitted } from '#contract/admin/roles.ts';
import { keyNameLength, makeKey } from '#contract/connect/keys.ts';
import { permissionOfScope, scopes, type Scope } from '#contract/connect/scopes.ts';
import { useAction } from '../../../core/queries.ts';
import { useSession } from '../../../core/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select, TextInput } from '../../../ui/inputs.tsx';
import { ScopeBoxes } from './scope-boxes.tsx';

const lives = ['30', '90', '365', 'never'] as const;

/** The form for a new key: its name, expiry and scopes. */
export function MakeKey({
  open,
  onClose,
  onMade,
}: {
  open: boolean;
  onClose: () => void;
  onMade: (secret: string) => void;
}) {
  const { t } = useTranslation(['connect', 'common']);
  const role = useSession().user.staffRole;
  const [name, setName] = useState('');
  const [life, setLife] = useState<(typeof lives)[number]>('90');
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const make = useAction(makeKey, {
    invalidates: ['/admin/'],
    onDone: ({ secret }) => {
      setName('');
      setChosen([]);
      onMade(secret);
    },
    onRefused: ({ fields }) => Object.keys(fields).length > 0,
  });
  const offered = scopes.filter((scope) => {
    const permission = permissionOfScope(scope);
    return permission === null || isPermitted(role, permission);
  });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('connect:keys.makeTitle')}
      description={t('connect:keys.makeText')}
      closeLabel={t('common:close')}
      action={
        <Button
          full
          busy={make.busy}
          onClick={() =>
            make.run({ name, scopes: [...chosen], days: life === 'never' ? null : Number(life) })
          }
        >
          {t('connect:keys.make')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t('connect:keys.name')} hint={t('connect:keys.nameHint')} error={make.fields['name']}>
          <TextInput
            maxLength={keyNameLength}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label={t('connect:keys.life')}>
          <Select
            options={lives.map((value) => ({ value, label: t(`connect:keys.lives.${value}`) }))}
            value={life}
            onChange={(event) => setLife(lives.find((each) => each === event.target.value) ?? '90')}
          />
        </Field>
        <ScopeBoxes offered={offered} chosen={chosen} error={make.fields['scopes']} onChange={setChosen} />
      </div>
    </Dialog>
  );
}
