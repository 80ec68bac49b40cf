import { SearchX } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readOwnTicket, replyToTeam, type OwnThread as OwnThreadView } from '#contract/tickets/endpoints.ts';
import { feedbackLength } from '#contract/units.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useOwnTicketTitle } from './own-ticket-title.ts';

const formId = 'ticketReply';

/** What a person has written to the team, with its answers, and where to write again. */
export function OwnThread({ id }: { id: string }) {
  const { t } = useTranslation('about');
  const title = usePageTitle();
  const navigate = useNavigate();
  const read = useCall(readOwnTicket, { id }, { quiet: true });
  const [text, setText, forgetDraft] = useTextDraft(`reply.${id}`);
  const send = useAction(replyToTeam, {
    invalidates: ['/feedback/'],
    onDone: () => {
      forgetDraft();
      setText('');
      toast.done(t('tickets.sent'));
    },
    onRefused: (refused) => refused.fields['text'] !== undefined,
  });
  return (
    <PageLayout
      title={title}
      back={() => void navigate({ to: '/pages/feedback/feedback', search: {} })}
      action={
        read.data !== undefined && (
          <Button type="submit" form={formId} full busy={send.busy}>
            {t('tickets.send')}
          </Button>
        )
      }
    >
      <QueryView
        query={read}
        skeleton={{ kind: 'chat' }}
        missing={
          <EmptyState icon={<SearchX />} title={t('tickets.missing')} text={t('tickets.missingText')} />
        }
      >
        {(thread) => (
          <>
            <Written thread={thread} />
            <form
              id={formId}
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                send.run({ id, text });
              }}
            >
              <Field
                label={t('tickets.reply')}
                hint={thread.state === 'closed' && t('tickets.closedHint')}
                error={send.fields['text']}
              >
                <TextArea
                  rows={4}
                  maxLength={feedbackLength}
                  value={text}
                  onChange={(event) => {
                    setText(event.target.value);
                    send.reset();
                  }}
                />
              </Field>
            </form>
          </>
        )}
      </QueryView>
    </PageLayout>
  );
}

function Written({ thread }: { thread: OwnThreadView }) {
  const { t } = useTranslation('about');
  const titleOf = useOwnTicketTitle();
  const { number, state, message, messages, openedAt } = thread;
  return (
    <div className="flex flex-col gap-4 pt-2">
      <div>
        <p className="text-small text-ink-3">
          <span className="figures">#{number}</span>
          {` · ${t(`tickets.states.${state}`)}`}
        </p>
        <h2 className="text-heading break-words">{titleOf(thread)}</h2>
      </div>
      <ol aria-label={t('tickets.thread')} className="flex flex-col gap-3">
        <Said byTeam={false} text={message} at={openedAt} />
        {messages.map((each) => (
          <Said key={each.id} {...each} />
        ))}
      </ol>
    </div>
  );
}

function Said({ byTeam, text, at }: { byTeam: boolean; text: string; at: string }) {
  const { t } = useTranslation('about');
  const format = useFormat();
  return (
    <li
      className={classes(
        'flex flex-col gap-1 rounded-control p-4',
        byTeam ? 'mr-8 bg-brand-soft' : 'ml-8 bg-surface shadow-card',
      )}
    >
      <p className="flex flex-wrap gap-x-2 text-small text-ink-2">
        <span className="font-semibold">{t(byTeam ? 'tickets.team' : 'tickets.you')}</span>
        <time dateTime={at}>{format.relative(at)}</time>
      </p>
      <p className={classes('text-body break-words whitespace-pre-wrap', text === '' && 'text-ink-3')}>
        {text === '' ? t('tickets.noWords') : text}
      </p>
    </li>
  );
}
