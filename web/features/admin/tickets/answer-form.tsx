import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  cannedTextLength,
  cannedTitleLength,
  deleteCannedAnswer,
  saveCannedAnswer,
  ticketLanguages,
  type CannedAnswer,
} from '#contract/tickets/endpoints.ts';
import { currentLanguage } from '../../../core/i18n.ts';
import { useAction } from '../../../core/queries.ts';
import { Button, TextButton } from '../../../ui/button.tsx';
import { SegmentedControl } from '../../../ui/choices.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextArea, TextInput } from '../../../ui/inputs.tsx';
import { toast } from '../../../ui/toasts.tsx';

type Words = Pick<CannedAnswer, 'title' | 'text' | 'language'>;

/** A canned answer, or a new one (null): written, or deleted. */
export function AnswerForm({ answer, onClose }: { answer: CannedAnswer | null; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const [words, setWords] = useState<Words>(answer ?? { title: '', text: '', language: currentLanguage() });
  const doneWith = (text: string) => ({
    invalidates: ['/admin/canned-answers'],
    onDone: () => {
      onClose();
      toast.done(text);
    },
  });
  const save = useAction(saveCannedAnswer, {
    ...doneWith(t('admin:tickets.canned.saved')),
    onRefused: ({ reason }) => reason === 'input.invalid',
  });
  const remove = useAction(deleteCannedAnswer, doneWith(t('admin:tickets.canned.deleted')));
  const { title, text, language } = words;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(answer === null ? 'admin:tickets.canned.add' : 'admin:tickets.canned.edit')}
      closeLabel={t('common:close')}
      action={
        <Button
          full
          busy={save.busy}
          onClick={() => save.run({ id: answer?.id ?? null, title, text, language })}
        >
          {t('common:save')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Fields
          words={words}
          errors={save.fields}
          onChange={(next) => {
            setWords(next);
            save.reset();
          }}
        />
        {answer !== null && (
          <TextButton tone="danger" disabled={remove.busy} onClick={() => remove.run({ id: answer.id })}>
            {t('admin:tickets.canned.delete')}
          </TextButton>
        )}
      </div>
    </Dialog>
  );
}

function Fields({
  words,
  errors,
  onChange,
}: {
  words: Words;
  errors: Record<string, string>;
  onChange: (words: Words) => void;
}) {
  const { t } = useTranslation('admin');
  return (
    <>
      <SegmentedControl
        label={t('tickets.canned.language')}
        options={ticketLanguages.map((value) => ({ value, label: t(`tickets.canned.languages.${value}`) }))}
        value={words.language}
        onChange={(language) => onChange({ ...words, language })}
      />
      <Field label={t('tickets.canned.name')} error={errors['title']}>
        <TextInput
          value={words.title}
          maxLength={cannedTitleLength}
          onChange={(event) => onChange({ ...words, title: event.target.value })}
        />
      </Field>
      <Field label={t('tickets.canned.words')} hint={t('tickets.canned.hint')} error={errors['text']}>
        <TextArea
          rows={6}
          value={words.text}
          maxLength={cannedTextLength}
          onChange={(event) => onChange({ ...words, text: event.target.value })}
        />
      </Field>
    </>
  );
}
