import { useTranslation } from 'react-i18next';
import { readTrustedContact, saveTrustedContact, type TrustedContact } from '#contract/safety/endpoints.ts';
import { phoneText } from '../../domain/person/phone-text.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { Button, TextButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { Card, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Whom to tell when I press the emergency button. */
export function TrustedContactSection() {
  const { t } = useTranslation('safety');
  const contact = useCall(readTrustedContact, {}, { quiet: true });
  return (
    <Section title={t('trusted.title')}>
      <p className="text-body text-ink-2">{t('trusted.text')}</p>
      <QueryView query={contact} skeleton={{ rows: 1 }}>
        {(kept) => <TrustedForm key={JSON.stringify(kept)} kept={kept} />}
      </QueryView>
    </Section>
  );
}

function TrustedForm({ kept }: { kept: TrustedContact }) {
  const { t } = useTranslation(['safety', 'common']);
  const [name, setName, forgetName] = useTextDraft('trusted.name', kept.name);
  const [phone, setPhone, forgetPhone] = useTextDraft('trusted.phone', phoneText(kept.phone));
  const [email, setEmail, forgetEmail] = useTextDraft('trusted.email', kept.email);
  const save = useAction(saveTrustedContact, {
    invalidates: ['/user/trusted-contact'],
    onDone: (now) => {
      for (const forget of [forgetName, forgetPhone, forgetEmail]) forget();
      toast.done(t(now.name === '' ? 'safety:trusted.removed' : 'safety:trusted.saved'));
    },
    onRefused: (refused) => Object.keys(refused.fields).length > 0,
  });
  return (
    <Card>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.run({ name, phone, email });
        }}
      >
        <Field label={t('safety:trusted.name')} error={save.fields['name']}>
          <TextInput
            autoComplete="off"
            maxLength={80}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label={t('safety:trusted.phone')} error={save.fields['phone']}>
          <TextInput
            type="tel"
            inputMode="tel"
            autoComplete="off"
            value={phone}
            onChange={(event) => setPhone(event.target.value)}
          />
        </Field>
        <Field label={t('safety:trusted.email')} error={save.fields['email']}>
          <TextInput
            type="email"
            inputMode="email"
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <div className="flex flex-wrap items-center gap-3">
          <Button small busy={save.busy} disabled={name.trim() === ''}>
            {t('common:save')}
          </Button>
          {kept.name !== '' && (
            <TextButton tone="danger" disabled={save.busy} onClick={() => save.run({ name: '' })}>
              {t('safety:trusted.remove')}
            </TextButton>
          )}
        </div>
      </form>
    </Card>
  );
}
