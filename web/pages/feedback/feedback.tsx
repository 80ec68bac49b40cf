import { Link } from '@tanstack/react-router';
import { MailCheck } from 'lucide-react';
import { useForm, useWatch } from 'react-hook-form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { postFeedback } from '#contract/feedback/endpoints.ts';
import { feedbackInput } from '#contract/form-inputs.ts';
import { feedbackLength } from '#contract/units.ts';
import { useFormDraft } from '../../core/drafts.ts';
import { inputResolver, showFields } from '../../core/forms.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import { OwnThread } from '../../features/feedback/own-thread.tsx';
import { OwnTickets } from '../../features/feedback/own-tickets.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

const formId = 'feedback';
/** How few characters must be left before their number is worth showing. */
const nearlyFull = 500;

/** A message to the people who run this installation, and what has become of earlier ones. */
export function Page() {
  const [sent, setSent] = useState(false);
  const { ticket } = usePageSearch('/pages/feedback/feedback');
  if (ticket !== undefined) return <OwnThread key={ticket} id={ticket} />;
  return sent ? <Sent onAnother={() => setSent(false)} /> : <Compose onSent={() => setSent(true)} />;
}

function Compose({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation('about');
  const title = usePageTitle();
  const form = useForm({
    resolver: inputResolver(feedbackInput),
    defaultValues: { subject: '', message: '' },
  });
  const forgetDraft = useFormDraft(form, 'feedback');
  const post = useAction(postFeedback, {
    invalidates: ['/feedback/'],
    onDone: () => {
      forgetDraft();
      onSent();
    },
    onRefused: (refused) => showFields(refused, form.setError),
  });
  const submit = form.handleSubmit((values) => post.run(values));
  const message = useWatch({ control: form.control, name: 'message' });
  const left = feedbackLength - message.length;
  const { errors } = form.formState;
  return (
    <PageLayout
      title={title}
      back
      action={
        <Button type="submit" form={formId} full busy={post.busy}>
          {t('feedback.send')}
        </Button>
      }
    >
      <div className="flex flex-col gap-2 pt-2">
        <h2 className="text-heading">{t('feedback.heading')}</h2>
        <p className="text-body text-ink-2">{t('feedback.text')}</p>
      </div>
      <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field label={t('feedback.subject')} error={errors.subject?.message}>
          <TextInput maxLength={120} autoComplete="off" {...form.register('subject')} />
        </Field>
        <Field
          label={t('feedback.message')}
          error={errors.message?.message}
          hint={left <= nearlyFull && t('feedback.left', { count: left })}
        >
          <TextArea rows={6} maxLength={feedbackLength} className="min-h-40" {...form.register('message')} />
        </Field>
      </form>
      <OwnTickets />
    </PageLayout>
  );
}

function Sent({ onAnother }: { onAnother: () => void }) {
  const { t } = useTranslation('about');
  const { user } = useSession();
  return (
    <PageLayout title={usePageTitle()} back>
      <EmptyState
        icon={<MailCheck />}
        title={t('feedback.sentTitle')}
        text={t('feedback.sentText', { email: user.email })}
        action={
          <span className="flex flex-wrap justify-center gap-3">
            <Link to="/pages/account/account" className={buttonVariants({ small: true })}>
              {t('feedback.back')}
            </Link>
            <Button tone="quiet" small onClick={onAnother}>
              {t('feedback.another')}
            </Button>
          </span>
        }
      />
    </PageLayout>
  );
}
