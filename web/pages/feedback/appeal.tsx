import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appeal } from '#contract/feedback/endpoints.ts';
import { feedbackLength } from '#contract/units.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';

const formId = 'appeal';

/** Where the email to a suspended person leads: they cannot sign in, and still have their say. */
export function Page() {
  const { t } = useTranslation('about');
  const title = usePageTitle();
  const { code = '' } = usePageSearch('/pages/feedback/appeal');
  const [message, setMessage, forgetDraft] = useTextDraft(`appeal.${code}`);
  const [sent, setSent] = useState(false);
  const send = useAction(appeal, {
    onDone: () => {
      forgetDraft();
      setSent(true);
    },
    onRefused: (refused) => refused.fields['message'] !== undefined,
  });
  if (sent) {
    return (
      <PageLayout title={title} back>
        <EmptyState icon={<MailCheck />} title={t('appeal.sentTitle')} text={t('appeal.sentText')} />
      </PageLayout>
    );
  }
  return (
    <PageLayout
      title={title}
      back
      action={
        <Button type="submit" form={formId} full busy={send.busy}>
          {t('appeal.send')}
        </Button>
      }
    >
      <div className="flex flex-col gap-2 pt-2">
        <h2 className="text-heading">{t('appeal.heading')}</h2>
        <p className="text-body text-ink-2">{t('appeal.text')}</p>
      </div>
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send.run({ code, message });
        }}
      >
        <Field label={t('appeal.message')} error={send.fields['message']}>
          <TextArea
            rows={6}
            maxLength={feedbackLength}
            className="min-h-40"
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        </Field>
      </form>
    </PageLayout>
  );
}
