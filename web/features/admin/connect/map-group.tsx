import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayChangeRole, type StaffRole } from '#contract/admin/roles.ts';
import { groupNameLength, groupRoles, mapGroup } from '#contract/connect/directory.ts';
import { useAction } from '../../../core/queries.ts';
import { useSession } from '../../../core/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { RadioList } from '../../../ui/choices.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { toast } from '../../../ui/toasts.tsx';

type Role = (typeof groupRoles)[number];

/** Gives the members of a group a role. */
export function MapGroup({
  open,
  groups,
  onClose,
}: {
  open: boolean;
  /** Names to choose from; names of a provider's groups are typed. */
  groups: readonly { name: string }[];
  onClose: () => void;
}) {
  const { t } = useTranslation(['connect', 'admin', 'common']);
  const giver = useSession().user.staffRole;
  const listId = useId();
  const [group, setGroup] = useState('');
  const [role, setRole] = useState<Role>('support');
  const save = useAction(mapGroup, {
    invalidates: ['/admin/'],
    onDone: () => {
      setGroup('');
      onClose();
      toast.done(t('connect:directory.changed'));
    },
    onRefused: ({ fields }) => Object.keys(fields).length > 0,
  });
  const offered = groupRoles.filter((each: StaffRole) => mayChangeRole(giver, { from: null, to: each }));
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('connect:directory.addTitle')}
      description={t('connect:directory.addText')}
      closeLabel={t('common:close')}
      action={
        <Button full busy={save.busy} onClick={() => save.run({ group, role })}>
          {t('connect:directory.save')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t('connect:directory.group')} error={save.fields['group']}>
          <TextInput
            list={listId}
            maxLength={groupNameLength}
            value={group}
            onChange={(event) => setGroup(event.target.value)}
          />
        </Field>
        <datalist id={listId}>
          {groups.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </datalist>
        <RadioList
          label={t('admin:users.role')}
          options={offered.map((each) => ({
            value: each,
            label: t(`admin:roles.${each}`),
            detail: t(`admin:roleTexts.${each}`),
          }))}
          value={role}
          onChange={setRole}
        />
      </div>
    </Dialog>
  );
}
