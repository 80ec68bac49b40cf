import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelDelete, deleteAccount, deletePreview, deletionDays } from '#contract/privacy/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';
import { PartView } from '../../core/query-view.tsx';
import { useAction, useCall } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { Banner, List, ListRow, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { keepsFromLeaving, LeavingPreview } from './leaving-preview.tsx';
import type { Privacy } from './privacy-choices.tsx';

const touched = ['/user/', '/order/', '/notification/'];

/** The account's end: asked for with the password, undone with one tap for 14 days. */
export function DeleteAccount({ privacy }: { privacy: Privacy }) {
  const { t } = useTranslation(['settings', 'common']);
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  // Read when the question is asked: minutes decide what canceling costs.
  const preview = useCall(deletePreview, {}, { enabled: asking, staleTime: 0, quiet: true });
  const ask = useAction(deleteAccount, {
    invalidates: touched,
    onDone: () => {
      setAsking(false);
      setPassword('');
    },
    onRefused: ({ fields }) => {
      if ('password' in fields) return true;
      // The dialog says what prevents a person from leaving.
      void preview.refetch();
      return false;
    },
  });
  return (
    <Section title={t('settings:delete.title')}>
      <List>
        <ListRow
          leading={<Trash2 aria-hidden className="text-danger" />}
          title={t('settings:delete.action')}
          detail={t('settings:delete.text', { count: deletionDays })}
          danger
          disabled={privacy.deletionDueAt !== null}
          onClick={() => {
            ask.reset();
            setAsking(true);
          }}
        />
      </List>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('settings:delete.confirmTitle')}
        text={t('settings:delete.confirmText', { count: deletionDays })}
        confirmLabel={t('settings:delete.confirm')}
        cancelLabel={t('settings:delete.keep')}
        busy={ask.busy}
        disabled={
          (privacy.hasPassword && password === '') ||
          preview.data === undefined ||
          keepsFromLeaving(preview.data)
        }
        onConfirm={() => ask.run({ password })}
      >
        <PartView query={preview}>{(leaving) => <LeavingPreview leaving={leaving} />}</PartView>
        {privacy.hasPassword && (
          <Field label={t('settings:delete.password')} error={ask.fields['password']}>
            <TextInput
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
                ask.reset();
              }}
            />
          </Field>
        )}
      </Confirm>
    </Section>
  );
}

/** Says on which day the account goes, and undoes it. */
export function DeletionBanner({ dueAt }: { dueAt: string }) {
  const { t } = useTranslation('settings');
  const undo = useAction(cancelDelete, {
    invalidates: touched,
    onDone: () => toast.done(t('delete.undone')),
  });
  const day = useFormat().longDate(dueAt);
  return (
    <Banner
      kind="warn"
      action={
        <Button small tone="quiet" busy={undo.busy} onClick={() => undo.run({})}>
          {t('delete.undo')}
        </Button>
      }
    >
      {t('delete.pending', { day })}
    </Banner>
  );
}
