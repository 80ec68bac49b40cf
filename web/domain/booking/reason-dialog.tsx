import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { reasonLength } from '#contract/units.ts';
import { Chip } from '../../ui/chips.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { useTextDraft } from '../../core/drafts.ts';

/**
 * Asks why before something that the others will read the reason of: a tap on a ready answer, or one's own
 * words.
 */
export function ReasonDialog({
  draft,
  open,
  onOpenChange,
  title,
  text,
  choices,
  required,
  confirmLabel,
  tone = 'danger',
  busy,
  onConfirm,
}: {
  /** The key under which the words are stored until they are sent: what is asked, and of which ride. */
  draft: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text?: ReactNode;
  /** Ready answers in the person's language. */
  choices: readonly string[];
  required: boolean;
  confirmLabel: string;
  tone?: 'danger' | 'primary';
  busy: boolean;
  onConfirm: (reason: string) => void;
}) {
  const { t } = useTranslation(['rides', 'common']);
  const [reason, setReason] = useTextDraft(draft);
  const [missing, setMissing] = useState(false);
  const change = (next: string) => {
    setReason(next);
    setMissing(false);
  };
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      text={text}
      confirmLabel={confirmLabel}
      tone={tone}
      cancelLabel={t('common:back')}
      busy={busy}
      onConfirm={() => {
        if (required && reason.trim() === '') setMissing(true);
        else onConfirm(reason.trim());
      }}
    >
      <fieldset aria-label={t('rides:reason.choices')} className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <Chip key={choice} selected={reason === choice} onClick={() => change(choice)}>
            {choice}
          </Chip>
        ))}
      </fieldset>
      <Field
        label={t('rides:reason.words')}
        {...(required ? {} : { note: t('common:optional') })}
        error={missing ? t('rides:reason.missing') : undefined}
      >
        <TextArea
          rows={2}
          maxLength={reasonLength}
          value={reason}
          onChange={(event) => change(event.target.value)}
        />
      </Field>
    </Confirm>
  );
}
