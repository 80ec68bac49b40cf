import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { login } from '#contract/access/endpoints.ts';
import { ownerInput } from '#contract/form-inputs.ts';
import { makeOwner, readSetup } from '#contract/setup/endpoints.ts';
import { inputResolver, showFields } from '../../core/forms.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { arrive } from '../../features/access/arrive.ts';
import { PasswordInput } from '../../features/access/password-input.tsx';
import { Tries } from '../../features/setup/tries.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

const fields = ownerInput.pick({ name: true, email: true, password: true });

/**
 * The setup page of an installation: tests the configuration and creates the owner's account. The link's
 * secret comes after the `#`.
 */
export function Page() {
  const { t } = useTranslation('setup');
  const title = usePageTitle();
  const token = useLocation({ select: ({ hash }) => hash });
  const query = useCall(readSetup, { token }, { enabled: token !== '', quiet: true, staleTime: Infinity });
  const missing = (
    <EmptyState
      icon={<KeyRound />}
      title={t(token === '' ? 'noLink' : 'over')}
      text={t(token === '' ? 'noLinkText' : 'overText')}
      action={
        token !== '' && (
          <Link to="/pages/login/login" className={buttonVariants({ tone: 'quiet', small: true })}>
            {t('signIn')}
          </Link>
        )
      }
    />
  );
  return (
    <PageLayout title={title}>
      <QueryView query={query} skeleton={{ rows: 5 }} missing={missing} isMissing={token === ''}>
        {(setup) => (
          <div className="flex flex-col gap-6 pb-6">
            <div className="flex flex-col gap-2 pt-2">
              <h2 className="text-heading">{t('heading')}</h2>
              <p className="text-body text-ink-2">{t('text')}</p>
            </div>
            <Tries setup={setup} token={token} />
            <OwnerForm token={token} />
          </div>
        )}
      </QueryView>
    </PageLayout>
  );
}

function OwnerForm({ token }: { token: string }) {
  const { t } = useTranslation(['setup', 'access']);
  const navigate = useNavigate();
  const form = useForm({
    resolver: inputResolver(fields),
    defaultValues: { name: '', email: '', password: '' },
  });
  const enter = useAction(login, { onDone: arrive });
  const make = useAction(makeOwner, {
    onDone(_done, { email, password }) {
      toast.done(t('setup:owner.done'));
      void enter
        .ask({ email, password })
        .then((user) =>
          navigate({ to: user === null ? '/pages/login/login' : '/pages/admin/admin', replace: true }),
        );
    },
    onRefused: (refused) => showFields(refused, form.setError),
  });
  const submit = form.handleSubmit((values) => make.run({ ...values, token, language: currentLanguage() }));
  const { errors } = form.formState;
  return (
    <Section title={t('setup:owner.title')}>
      <p className="text-body text-ink-2">{t('setup:owner.text')}</p>
      <form noValidate className="flex flex-col gap-4 pt-2" onSubmit={(event) => void submit(event)}>
        <Field label={t('setup:owner.name')} error={errors.name?.message}>
          <TextInput autoComplete="name" {...form.register('name')} />
        </Field>
        <Field label={t('access:email')} error={errors.email?.message}>
          <TextInput
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="off"
            spellCheck={false}
            {...form.register('email')}
          />
        </Field>
        <Field label={t('access:password')} hint={t('access:passwordHint')} error={errors.password?.message}>
          <PasswordInput autoComplete="new-password" {...form.register('password')} />
        </Field>
        <Button type="submit" full busy={make.busy || enter.busy}>
          {t('setup:owner.create')}
        </Button>
      </form>
    </Section>
  );
}
