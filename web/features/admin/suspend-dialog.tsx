import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { suspendUser, type ManagedUser } from '#contract/admin/endpoints.ts';
import { reasonLength } from '#contract/units.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { invalidate } from '../../core/query-client.ts';
import { useAction } from '../../core/queries.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';

/**
 * To be keyed by the person. Asks for the reason before a person is suspended, or for a note before they are
 * let in again.
 */
export function SuspendDialog({ user, onClose }: { user: ManagedUser | null; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const [reason, setReason, forgetDraft] = useTextDraft(`suspend.${user?.person.id ?? ''}`);
  const [error, setError] = useState<string>();
  const name = user?.person.name ?? '';
  const suspends = user?.suspendedAt === null;
  const act = useAction(suspendUser, {
    invalidates: ['/admin/'],
    onDone: (_, { suspended }) => {
      forgetDraft();
      onClose();
      toast.done(t(suspended ? 'admin:users.suspendDone' : 'admin:users.unsuspendDone', { name }));
    },
    onRefused: (refused) => {
      if (refused.reason === 'admin.reasonMissing') {
        setError(t('admin:admin.reasonMissing'));
        return true;
      }
      onClose();
      void invalidate('/admin/');
      return false;
    },
  });
  const confirm = () => {
    if (user === null) return;
    if (suspends && reason.trim() === '') setError(t('admin:admin.reasonMissing'));
    else act.run({ id: user.person.id, suspended: suspends, reason });
  };
  return (
    <Confirm
      open={user !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t(suspends ? 'admin:users.suspendTitle' : 'admin:users.unsuspendTitle', { name })}
      text={t(suspends ? 'admin:users.suspendText' : 'admin:users.unsuspendText')}
      confirmLabel={t(suspends ? 'admin:users.suspend' : 'admin:users.unsuspend')}
      cancelLabel={t('common:cancel')}
      tone={suspends ? 'danger' : 'brand'}
      busy={act.busy}
      onConfirm={confirm}
    >
      <Field
        label={t(suspends ? 'admin:users.reason' : 'admin:users.note')}
        hint={suspends ? t('admin:users.reasonHint', { name }) : t('admin:users.noteHint')}
        error={error}
        {...(suspends ? {} : { note: t('common:optional') })}
      >
        <TextArea
          value={reason}
          maxLength={reasonLength}
          onChange={(event) => {
            setReason(event.target.value);
            setError(undefined);
          }}
        />
      </Field>
    </Confirm>
  );
}
