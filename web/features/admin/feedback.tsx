import { MailOpen, MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  answerFeedback,
  listFeedback,
  readFeedback,
  type FeedbackMessage,
} from '#contract/admin/endpoints.ts';
import { feedbackLength } from '#contract/units.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { useAction, usePaginatedCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { Avatar } from '../../ui/people.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PaginatedList } from '../../core/paginated-list.tsx';

const filters = ['open', 'all'] as const;

/** Messages of people to the operator: read, and answered by mail. */
export function Feedback() {
  const { t } = useTranslation('admin');
  const [only, setOnly] = useState<(typeof filters)[number]>('open');
  const [answering, setAnswering] = useState<FeedbackMessage | null>(null);
  const pages = usePaginatedCall(
    listFeedback,
    { only },
    { items: ({ messages }) => messages, total: ({ total }) => total },
  );
  return (
    <div className="flex flex-col gap-4">
      <SegmentedControl
        label={t('feedback.filter')}
        options={filters.map((value) => ({ value, label: t(`feedback.${value}`) }))}
        value={only}
        onChange={setOnly}
      />
      <PaginatedList
        pages={pages}
        empty={<EmptyState icon={<MailOpen />} title={t('feedback.none')} text={t('feedback.noneText')} />}
      >
        {(messages) => (
          <ul className="flex flex-col gap-3">
            {messages.map((message) => (
              <li key={message.id}>
                <MessageCard message={message} onAnswer={() => setAnswering(message)} />
              </li>
            ))}
          </ul>
        )}
      </PaginatedList>
      <AnswerDialog key={answering?.id ?? ''} message={answering} onClose={() => setAnswering(null)} />
    </div>
  );
}

function MessageCard({ message, onAnswer }: { message: FeedbackMessage; onAnswer: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const read = useAction(readFeedback, { invalidates: ['/admin/'] });
  const { author, sentAt, readAt, answeredAt } = message;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Avatar name={author?.name ?? '?'} src={author?.avatar ?? ''} seed={author?.id ?? message.id} />
        <div className="min-w-0 flex-1">
          <p className="text-body font-semibold break-words">{author?.name ?? t('gone')}</p>
          <p className="text-small break-all text-ink-3">{message.email}</p>
        </div>
        <time dateTime={sentAt} className="shrink-0 text-small text-ink-3">
          {format.relative(sentAt)}
        </time>
      </div>
      <div>
        <h2 className="text-lead break-words">{message.subject}</h2>
        <p className="text-body break-words whitespace-pre-wrap text-ink-2">{message.message}</p>
      </div>
      {answeredAt !== null && (
        <div className="rounded-control bg-page px-4 py-3">
          <p className="text-small text-ink-3">
            {t('feedback.answered', { when: format.relative(answeredAt) })}
          </p>
          <p className="text-body break-words whitespace-pre-wrap">{message.answer}</p>
        </div>
      )}
      {answeredAt === null && (
        <div className="flex flex-wrap items-center gap-3">
          {author !== null && (
            <Button small icon={<MessageSquareText aria-hidden className="size-5" />} onClick={onAnswer}>
              {t('feedback.answer')}
            </Button>
          )}
          {readAt === null ? (
            <Button tone="quiet" small busy={read.busy} onClick={() => read.run({ id: message.id })}>
              {t('feedback.read')}
            </Button>
          ) : (
            <span className="text-small text-ink-3">
              {t('feedback.isRead', { when: format.relative(readAt) })}
            </span>
          )}
        </div>
      )}
    </Card>
  );
}

function AnswerDialog({ message, onClose }: { message: FeedbackMessage | null; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const [answer, setAnswer, forgetDraft] = useTextDraft(`feedbackAnswer.${message?.id ?? ''}`);
  const send = useAction(answerFeedback, {
    invalidates: ['/admin/'],
    onDone: () => {
      forgetDraft();
      onClose();
      toast.done(t('admin:feedback.sent'));
    },
    onRefused: (refused) => refused.fields['answer'] !== undefined,
  });
  return (
    <Dialog
      open={message !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:feedback.answerTitle', { name: message?.author?.name ?? '' })}
      description={t('admin:feedback.answerText', { email: message?.email ?? '' })}
      closeLabel={t('common:close')}
      action={
        <Button
          full
          busy={send.busy}
          onClick={() => message !== null && send.run({ id: message.id, answer })}
        >
          {t('admin:feedback.send')}
        </Button>
      }
    >
      <Field label={t('admin:feedback.answerField')} error={send.fields['answer']}>
        <TextArea
          rows={6}
          value={answer}
          maxLength={feedbackLength}
          onChange={(event) => {
            setAnswer(event.target.value);
            send.reset();
          }}
        />
      </Field>
    </Dialog>
  );
}
