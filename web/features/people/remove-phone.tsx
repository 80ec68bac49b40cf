import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveProfile, type Profile } from '#contract/user/endpoints.ts';
import { phoneText } from '../../domain/person/phone-text.ts';
import { useAction } from '../../core/queries.ts';
import { TextButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { fieldsOf } from './profile-fields.ts';
import { cacheProfile } from './profile-cache.ts';

/** Takes my number away, after asking once. */
export function RemovePhone({ profile, onRemoved }: { profile: Profile; onRemoved: () => void }) {
  const { t } = useTranslation(['people', 'common']);
  const [asking, setAsking] = useState(false);
  const save = useAction(saveProfile, {
    invalidates: ['/user/', '/notification/'],
    onDone: (saved) => {
      cacheProfile(saved);
      toast.done(t('people:phone.removed'));
      onRemoved();
    },
  });
  return (
    <>
      <TextButton tone="danger" className="-ml-1 self-start" onClick={() => setAsking(true)}>
        {t('people:phone.remove')}
      </TextButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('people:phone.removeTitle')}
        text={t('people:phone.removeText', { phone: phoneText(profile.phone) })}
        confirmLabel={t('people:phone.remove')}
        cancelLabel={t('common:cancel')}
        busy={save.busy}
        onConfirm={() => save.run({ ...fieldsOf(profile), phone: '' })}
      />
    </>
  );
}
