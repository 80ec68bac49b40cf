import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Endpoint } from '#contract/define.ts';
import {
  genders,
  type profile as profileAnswer,
  profileFields,
  type Profile,
} from '#contract/user/endpoints.ts';
import { useFormDraft } from '../../core/drafts.ts';
import { inputResolver, showFields } from '../../core/forms.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/inputs.tsx';
import { cacheProfile } from './profile-cache.ts';

interface ProfileFormProps {
  profile: Profile;
  endpoint: Endpoint<typeof profileFields, typeof profileAnswer>;
  submitLabel: string;
  onSaved: () => void;
}

/** The profile as it is typed, and saving it. */
function useProfileForm({
  profile,
  endpoint,
  onSaved,
}: Pick<ProfileFormProps, 'profile' | 'endpoint' | 'onSaved'>) {
  const { name, firstName, lastName, gender, interests, phone } = profile;
  const form = useForm({
    resolver: inputResolver(profileFields),
    defaultValues: { name, firstName, lastName, gender, interests, phone, language: currentLanguage() },
  });
  const forgetDraft = useFormDraft(form, 'profile', ['language']);
  const save = useAction(endpoint, {
    invalidates: ['/user/'],
    onDone: (saved) => {
      cacheProfile(saved);
      forgetDraft();
      onSaved();
    },
    onRefused: (refused) => showFields(refused, form.setError),
  });
  // The language on screen is the one to keep, wherever it was chosen.
  const submit = form.handleSubmit((values) => save.run({ ...values, language: currentLanguage() }));
  return { form, busy: save.busy, submit };
}

type Form = ReturnType<typeof useProfileForm>['form'];

/** Everything a person says about themselves but the phone, which is changed with a code. */
export function ProfileForm({ profile, endpoint, submitLabel, onSaved }: ProfileFormProps) {
  const { t } = useTranslation(['people', 'common']);
  const { form, busy, submit } = useProfileForm({ profile, endpoint, onSaved });
  const { errors } = form.formState;
  const optional = t('common:optional');
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field
        label={t('people:profile.name')}
        hint={t('people:profile.nameHint')}
        error={errors.name?.message}
      >
        <TextInput autoComplete="nickname" maxLength={60} {...form.register('name')} />
      </Field>
      <FullName form={form} />
      <GenderField form={form} />
      {profile.email !== '' && (
        <Field label={t('people:profile.email')} hint={t('people:profile.emailHint')}>
          <TextInput type="email" readOnly value={profile.email} />
        </Field>
      )}
      <Field
        label={t('people:profile.interests')}
        note={optional}
        hint={t('people:profile.interestsHint')}
        error={errors.interests?.message}
      >
        <TextArea rows={2} maxLength={300} {...form.register('interests')} />
      </Field>
      <Button type="submit" full busy={busy}>
        {submitLabel}
      </Button>
    </form>
  );
}

/** First and last name, in the order of the language. */
function FullName({ form }: { form: Form }) {
  const { t } = useTranslation(['people', 'common']);
  const optional = t('common:optional');
  const given = (
    <Field key="first" label={t('people:profile.firstName')} note={optional} className="flex-1">
      <TextInput autoComplete="given-name" maxLength={60} {...form.register('firstName')} />
    </Field>
  );
  const family = (
    <Field key="last" label={t('people:profile.lastName')} note={optional} className="flex-1">
      <TextInput autoComplete="family-name" maxLength={60} {...form.register('lastName')} />
    </Field>
  );
  return (
    <div className="flex gap-3 *:min-w-0">
      {currentLanguage() === 'zh' ? [family, given] : [given, family]}
    </div>
  );
}

function GenderField({ form }: { form: Form }) {
  const { t } = useTranslation('people');
  return (
    <Controller
      control={form.control}
      name="gender"
      render={({ field }) => (
        <div className="flex flex-col gap-1.5">
          <span aria-hidden className="text-small font-semibold text-ink-2">
            {t('profile.gender')}
          </span>
          <SegmentedControl
            label={t('profile.gender')}
            options={genders.map((value) => ({ value, label: t(`profile.genders.${value}`) }))}
            value={field.value ?? 'prefer not to say'}
            onChange={field.onChange}
          />
        </div>
      )}
    />
  );
}
