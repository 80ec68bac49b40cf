import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveProfile, type Profile } from '#contract/user/endpoints.ts';
import { useAction } from '../../base/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';
import { fieldsOf } from './profile-fields.ts';
import { tookProfile } from './took-profile.ts';

/** My phone number; an empty one is no number. */
export function PhoneForm({ profile, onSaved }: { profile: Profile; onSaved: () => void }) {
  const { t } = useTranslation('people');
  const [phone, setPhone] = useState(profile.phone);
  const save = useAction(saveProfile, {
    invalidates: ['/user/'],
    onDone: (saved) => {
      tookProfile(saved);
      toast.done(t(saved.phone === '' ? 'phone.removed' : 'phone.saved'));
      onSaved();
    },
    onRefused: ({ fields }) => 'phone' in fields,
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.run({ ...fieldsOf(profile), phone });
      }}
    >
      <Field label={t('profile.phone')} hint={t('profile.phoneHint')} error={save.fields['phone']}>
        <TextInput
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={32}
          value={phone}
          onChange={(event) => {
            setPhone(event.target.value);
            save.reset();
          }}
        />
      </Field>
      <Button type="submit" full busy={save.busy} disabled={phone.trim() === profile.phone}>
        {t(phone.trim() === '' && profile.phone !== '' ? 'phone.remove' : 'phone.save')}
      </Button>
    </form>
  );
}
