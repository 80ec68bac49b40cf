import { Link } from '@tanstack/react-router';
import { KeyRound, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { changePassword } from '#contract/access/endpoints.ts';
import { changePasswordInput } from '#contract/form-inputs.ts';
import { inputResolver, showFields } from '../../core/forms.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { List, ListRow, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PasswordInput } from './password-input.tsx';

/** Changes the password of the signed-in person with the old one. */
export function ChangePassword({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const { t } = useTranslation(['settings', 'common']);
  const [open, setOpen] = useState(false);
  return (
    <Section title={t('settings:password.title')}>
      <List>
        <ListRow
          leading={<KeyRound aria-hidden className="text-ink-2" />}
          title={t('settings:password.change')}
          detail={t(hasPassword ? 'settings:password.text' : 'settings:password.none')}
          disabled={!hasPassword}
          onClick={() => setOpen(true)}
        />
        <li>
          <Link to="/pages/account/security" className={rowVariants}>
            <RowContent
              leading={<ShieldCheck aria-hidden className="text-ink-2" />}
              title={t('settings:password.secondStep')}
              detail={t('settings:password.secondStepText')}
              chevron
            />
          </Link>
        </li>
      </List>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('settings:password.change')}
        description={t('settings:password.text')}
        closeLabel={t('common:close')}
      >
        <ChangePasswordForm email={email} onDone={() => setOpen(false)} />
      </Dialog>
    </Section>
  );
}

function ChangePasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const { t } = useTranslation(['settings', 'access']);
  const form = useForm({
    resolver: inputResolver(changePasswordInput),
    defaultValues: { oldPassword: '', password: '' },
  });
  const { errors } = form.formState;
  const change = useAction(changePassword, {
    invalidates: ['/access/'],
    onDone: ({ ended }) => {
      onDone();
      toast.done(t('settings:password.saved', { count: ended }));
    },
    onRefused: (refused) => showFields(refused, form.setError),
  });
  const submit = form.handleSubmit((values) => change.run(values));
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {/* Password managers file the new password under this name. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field label={t('settings:password.old')} error={errors.oldPassword?.message}>
        <PasswordInput autoComplete="current-password" {...form.register('oldPassword')} />
      </Field>
      <Field
        label={t('settings:password.new')}
        hint={t('access:passwordHint')}
        error={errors.password?.message}
      >
        <PasswordInput autoComplete="new-password" {...form.register('password')} />
      </Field>
      <Button type="submit" full busy={change.busy}>
        {t('settings:password.save')}
      </Button>
    </form>
  );
}
