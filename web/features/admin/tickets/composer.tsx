import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerTicket, filledAnswer, noteTicket, type Thread } from '#contract/tickets/endpoints.ts';
import { feedbackLength } from '#contract/units.ts';
import { useTextDraft } from '../../../core/drafts.ts';
import { useAction } from '../../../core/queries.ts';
import { Button, TextButton } from '../../../ui/button.tsx';
import { SegmentedControl } from '../../../ui/choices.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextArea } from '../../../ui/inputs.tsx';
import { Banner, Card } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { PickAnswer } from './pick-answer.tsx';

type Way = 'answer' | 'note';

/** The next words: an answer to the author, or a note for the team. */
export function Composer({ thread }: { thread: Thread }) {
  const { t } = useTranslation('admin');
  const canAnswer = thread.author !== null && thread.email !== '';
  const [chosen, setWay] = useState<Way>('answer');
  const way = canAnswer ? chosen : 'note';
  return (
    <Card className="flex flex-col gap-3">
      {canAnswer ? (
        <SegmentedControl
          label={t('tickets.write')}
          options={(['answer', 'note'] as const).map((value) => ({
            value,
            label: t(`tickets.ways.${value}`),
          }))}
          value={way}
          onChange={setWay}
        />
      ) : (
        <Banner kind="info">{t('tickets.noAuthor')}</Banner>
      )}
      <Words key={way} way={way} thread={thread} />
    </Card>
  );
}

function Words({ way, thread }: { way: Way; thread: Thread }) {
  const { t } = useTranslation('admin');
  const [text, setText, forgetDraft] = useTextDraft(`ticket.${way}.${thread.id}`);
  const [picks, setPicks] = useState(false);
  const send = useAction(way === 'answer' ? answerTicket : noteTicket, {
    invalidates: ['/admin/'],
    onDone: () => {
      forgetDraft();
      setText('');
      toast.done(t(`tickets.sent.${way}`));
    },
    onRefused: (refused) => refused.fields['text'] !== undefined,
  });
  const type = (next: string) => {
    setText(next);
    send.reset();
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send.run({ id: thread.id, text });
      }}
    >
      <Field
        label={t(`tickets.fields.${way}`, { name: thread.author?.name ?? '' })}
        hint={t(way === 'answer' ? 'tickets.answerHint' : 'tickets.noteHint')}
        error={send.fields['text']}
      >
        <TextArea
          rows={5}
          value={text}
          maxLength={feedbackLength}
          onChange={(event) => type(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-3">
        {way === 'answer' ? (
          <TextButton onClick={() => setPicks(true)}>{t('tickets.canned.pick')}</TextButton>
        ) : (
          <span />
        )}
        <Button type="submit" small busy={send.busy}>
          {t(`tickets.send.${way}`)}
        </Button>
      </div>
      {picks && (
        <PickAnswer
          onClose={() => setPicks(false)}
          onPick={(answer) => {
            setPicks(false);
            const filled = filledAnswer(answer.text, thread.firstName);
            type([text.trimEnd(), filled].filter(Boolean).join('\n\n').slice(0, feedbackLength));
          }}
        />
      )}
    </form>
  );
}
