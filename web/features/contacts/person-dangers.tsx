import { Ban, Flag, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  blockPerson,
  deleteContact,
  reportPerson,
  reportReasons,
  type Relation,
} from '#contract/contacts/endpoints.ts';
import type { Message } from '#contract/chat/endpoints.ts';
import { reportMessage } from '#contract/tickets/endpoints.ts';
import { reasonLength } from '#contract/units.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { RadioList } from '../../ui/choices.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

type Reason = (typeof reportReasons)[number];

/** Removes a person from the contacts, or blocks them. */
function useRemoveAndBlock(name: string, close: () => void) {
  const { t } = useTranslation('contacts');
  const remove = useAction(deleteContact, {
    invalidates: ['/contact/', '/tag/'],
    onDone: () => {
      close();
      toast.done(t('person.removed'));
    },
  });
  const block = useAction(blockPerson, {
    invalidates: ['/contact/', '/tag/', '/order/', '/event/', '/review/'],
    onDone: () => {
      close();
      toast.done(t('person.blocked', { name }));
    },
  });
  return { remove, block };
}

/** What one rarely wants to do about a person, but then must find: remove, block, report. */
export function PersonDangers({
  person,
  relation,
  message,
}: {
  person: Person;
  relation: Relation;
  /** What a report is about: the chat message that was touched. */
  message?: Message;
}) {
  const { t } = useTranslation(['contacts', 'common']);
  const [asking, setAsking] = useState<'remove' | 'block' | 'report' | null>(null);
  const { id, name } = person;
  const close = () => setAsking(null);
  const { remove, block } = useRemoveAndBlock(name, close);
  return (
    <Section title={t('contacts:person.more')}>
      <List label={t('contacts:person.more')}>
        {relation === 'contact' && (
          <ListRow
            danger
            leading={<UserMinus aria-hidden className="text-danger" />}
            title={t('contacts:person.remove')}
            onClick={() => setAsking('remove')}
          />
        )}
        {relation !== 'blocked' && (
          <ListRow
            danger
            leading={<Ban aria-hidden className="text-danger" />}
            title={t('contacts:person.block')}
            onClick={() => setAsking('block')}
          />
        )}
        <ListRow
          danger
          leading={<Flag aria-hidden className="text-danger" />}
          title={t(message === undefined ? 'contacts:person.report' : 'contacts:report.reportMessage')}
          onClick={() => setAsking('report')}
        />
      </List>
      <Confirm
        open={asking === 'remove'}
        onOpenChange={close}
        title={t('contacts:person.removeTitle', { name })}
        text={t('contacts:person.removeText')}
        confirmLabel={t('contacts:person.remove')}
        cancelLabel={t('common:cancel')}
        busy={remove.busy}
        onConfirm={() => remove.run({ id })}
      />
      <Confirm
        open={asking === 'block'}
        onOpenChange={close}
        title={t('contacts:person.blockTitle', { name })}
        text={t('contacts:person.blockText')}
        confirmLabel={t('contacts:person.block')}
        cancelLabel={t('common:cancel')}
        busy={block.busy}
        onConfirm={() => block.run({ id })}
      />
      <ReportDialog
        person={person}
        {...(message === undefined ? {} : { message })}
        open={asking === 'report'}
        onClose={close}
      />
    </Section>
  );
}

/** Reports a person, or one message of theirs with those around it. */
function ReportDialog({
  person,
  message,
  open,
  onClose,
}: {
  person: Person;
  message?: Message;
  open: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation(['contacts', 'common']);
  const [reason, setReason] = useState<Reason | null>(null);
  const [words, setWords, forgetDraft] = useTextDraft(`report.${message?.id ?? person.id}`);
  const [missing, setMissing] = useState(false);
  const whenSent = {
    invalidates: ['/feedback/'],
    onDone: () => {
      onClose();
      setReason(null);
      forgetDraft();
      toast.done(t('contacts:report.sent'));
    },
  };
  const ofPerson = useAction(reportPerson, whenSent);
  const ofMessage = useAction(reportMessage, whenSent);
  const report = message === undefined ? ofPerson : ofMessage;
  const send = () => {
    setMissing(reason === null);
    if (reason === null) return;
    if (message === undefined) ofPerson.run({ id: person.id, reason, words });
    else ofMessage.run({ roomid: message.roomid, seq: message.seq, reason, words });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={t('contacts:report.title', { name: person.name })}
      description={t('contacts:report.text')}
      closeLabel={t('common:close')}
      action={
        <Button full tone="danger" busy={report.busy} onClick={send}>
          {t('contacts:report.send')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {message !== undefined && <ReportedMessage message={message} name={person.name} />}
        <Field
          label={t('contacts:report.reason')}
          error={missing && reason === null ? t('contacts:report.missing') : undefined}
        >
          <RadioList
            options={reportReasons.map((value) => ({ value, label: t(`contacts:report.reasons.${value}`) }))}
            value={reason}
            onChange={setReason}
          />
        </Field>
        <Field label={t('contacts:report.words')} note={t('common:optional')} error={report.fields['words']}>
          <TextArea
            rows={3}
            maxLength={reasonLength}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  );
}

/** What goes to the team with the report. */
function ReportedMessage({ message: { kind, text, place }, name }: { message: Message; name: string }) {
  const { t } = useTranslation('contacts');
  return (
    <figure className="flex flex-col gap-2">
      <blockquote className="line-clamp-4 rounded-control bg-page px-4 py-3 text-body break-words whitespace-pre-wrap">
        <span className="block text-small text-ink-3">{t('report.message')}</span>
        {kind === 'picture' ? t('report.picture') : (place?.name ?? text)}
      </blockquote>
      <figcaption className="text-small text-ink-2">{t('report.messageText', { name })}</figcaption>
    </figure>
  );
}
