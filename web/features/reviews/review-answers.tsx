import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { replyLength, replyToReview, reportReview, type Review } from '#contract/reviews/endpoints.ts';
import { reasonLength } from '#contract/units.ts';
import { dropDraft, useTextDraft } from '../../core/drafts.ts';
import { useAction } from '../../core/queries.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';

const touched = ['/review/'];

/**
 * What the one who reads a public review may do about it: answer one about me, report one that breaks the
 * rules.
 */
export function ReviewAnswers({ review }: { review: Review }) {
  const { t } = useTranslation('reviews');
  const [open, setOpen] = useState<'reply' | 'report' | null>(null);
  const done = (what: 'reply' | 'report') => {
    dropDraft(`${what}.${review.id}`);
    setOpen(null);
    toast.done(t(`${what}.done`));
  };
  const replying = useAction(replyToReview, {
    invalidates: touched,
    onDone: () => done('reply'),
    onRefused: (refused) => refused.fields['words'] !== undefined,
  });
  const reporting = useAction(reportReview, {
    invalidates: touched,
    onDone: () => done('report'),
    onRefused: (refused) => refused.fields['reason'] !== undefined,
  });
  const reviewId = review.id;
  return (
    <div className="flex flex-wrap gap-x-4">
      {review.mayReply && <TextButton onClick={() => setOpen('reply')}>{t('reply.button')}</TextButton>}
      {review.mayReport && (
        <TextButton tone="ink" onClick={() => setOpen('report')}>
          {t('report.button')}
        </TextButton>
      )}
      <WordsDialog
        what="reply"
        draft={`reply.${reviewId}`}
        name={review.author.name}
        most={replyLength}
        open={open === 'reply'}
        onClose={() => setOpen(null)}
        busy={replying.busy}
        error={replying.fields['words']}
        onSend={(words) => replying.run({ reviewId, words })}
      />
      <WordsDialog
        what="report"
        draft={`report.${reviewId}`}
        name={review.author.name}
        most={reasonLength}
        open={open === 'report'}
        onClose={() => setOpen(null)}
        busy={reporting.busy}
        error={reporting.fields['reason']}
        onSend={(reason) => reporting.run({ reviewId, reason })}
      />
    </div>
  );
}

function WordsDialog({
  what,
  draft,
  name,
  most,
  open,
  onClose,
  busy,
  error,
  onSend,
}: {
  what: 'reply' | 'report';
  /** The key under which the words are stored until they are sent. */
  draft: string;
  name: string;
  most: number;
  open: boolean;
  onClose: () => void;
  busy: boolean;
  error: string | undefined;
  onSend: (words: string) => void;
}) {
  const { t } = useTranslation(['reviews', 'common']);
  const [words, setWords] = useTextDraft(draft);
  return (
    <Dialog
      open={open}
      onOpenChange={(shown) => !shown && onClose()}
      title={t(`reviews:${what}.title`, { name })}
      description={t(`reviews:${what}.text`)}
      closeLabel={t('common:close')}
      action={
        <Button
          full
          tone={what === 'report' ? 'danger' : 'primary'}
          busy={busy}
          disabled={words.trim() === ''}
          onClick={() => onSend(words)}
        >
          {t(`reviews:${what}.send`)}
        </Button>
      }
    >
      <Field label={t(`reviews:${what}.label`)} error={error}>
        <TextArea maxLength={most} value={words} onChange={(event) => setWords(event.target.value)} />
      </Field>
    </Dialog>
  );
}
