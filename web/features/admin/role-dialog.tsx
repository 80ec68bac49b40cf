import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { giveRole, type ManagedUser } from '#contract/admin/endpoints.ts';
import { mayChangeRole, staffRoles, type StaffRole } from '#contract/admin/roles.ts';
import { invalidate } from '../../core/query-client.ts';
import { useAction } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { RadioList } from '../../ui/choices.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';

const choices = [...staffRoles, 'none'] as const;
type Choice = (typeof choices)[number];

const roleOf = (choice: Choice): StaffRole | null => (choice === 'none' ? null : choice);

/** Gives a person a role on the team, changes it or takes it away. Use the person as React key. */
export function RoleDialog({ user, onClose }: { user: ManagedUser | null; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const giver = useSession().user.staffRole;
  const from = user?.staffRole ?? null;
  const [choice, setChoice] = useState<Choice>(from ?? 'none');
  const name = user?.person.name ?? '';
  const give = useAction(giveRole, {
    invalidates: ['/admin/'],
    onDone: (_, { role }) => {
      onClose();
      toast.done(t('admin:users.roleDone', { name, role: t(`admin:roles.${role ?? 'none'}`) }));
    },
    onRefused: () => {
      onClose();
      void invalidate('/admin/');
      return false;
    },
  });
  return (
    <Confirm
      open={user !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:users.roleTitle', { name })}
      text={t('admin:users.roleText')}
      confirmLabel={t('admin:users.roleSave')}
      cancelLabel={t('common:cancel')}
      tone="brand"
      busy={give.busy}
      onConfirm={() => {
        if (user === null || roleOf(choice) === from) onClose();
        else give.run({ id: user.person.id, role: roleOf(choice) });
      }}
    >
      <RadioList
        label={t('admin:users.role')}
        options={choices
          .filter((each) => roleOf(each) === from || mayChangeRole(giver, { from, to: roleOf(each) }))
          .map((each) => ({
            value: each,
            label: t(`admin:roles.${each}`),
            detail: t(`admin:roleTexts.${each}`),
          }))}
        value={choice}
        onChange={setChoice}
      />
    </Confirm>
  );
}
