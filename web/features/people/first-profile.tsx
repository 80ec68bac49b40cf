import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { createUser, profileFields, type Profile } from '#contract/user/endpoints.ts';
import { useFormDraft } from '../../core/drafts.ts';
import { inputResolver, showFields } from '../../core/forms.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { cacheProfile } from './profile-cache.ts';
import { fieldsOf } from './profile-fields.ts';

const firstNameOnly = profileFields.pick({ name: true });

/**
 * The one thing that others need to know of a new person: what to call them. All else can follow, from the
 * checklist on the Account tab.
 */
export function FirstProfile({
  profile,
  inviter,
  onSaved,
}: {
  profile: Profile;
  /** The code of the invitation that led here, or empty. */
  inviter: string;
  onSaved: () => void;
}) {
  const { t } = useTranslation(['people', 'access']);
  const form = useForm({
    resolver: inputResolver(firstNameOnly),
    defaultValues: { name: profile.name || profile.firstName },
  });
  const forgetDraft = useFormDraft(form, 'firstProfile');
  const save = useAction(createUser, {
    invalidates: ['/user/'],
    onDone: (saved) => {
      cacheProfile(saved);
      forgetDraft();
      onSaved();
    },
    onRefused: (refused) => showFields(refused, form.setError),
  });
  const { setFocus } = form;
  useEffect(() => setFocus('name'), [setFocus]);
  const submit = form.handleSubmit(({ name }) =>
    save.run({
      ...fieldsOf({ ...profile, name }),
      firstName: profile.firstName || name,
      language: currentLanguage(),
      ...(inviter === '' ? {} : { inviter }),
    }),
  );
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field
        label={t('people:profile.firstName')}
        hint={t('people:profile.nameHint')}
        error={form.formState.errors.name?.message}
      >
        <TextInput autoComplete="given-name" maxLength={60} {...form.register('name')} />
      </Field>
      <Button type="submit" full busy={save.busy}>
        {t('access:profile.save')}
      </Button>
    </form>
  );
}
