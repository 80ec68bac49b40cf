import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { noteLength } from '#contract/units.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { useTextDraft } from '../../core/drafts.ts';

/** The last step before an ask or an invitation: what it means, and a few words if one likes. */
export function AskDialog({
  draft,
  open,
  onOpenChange,
  title,
  text,
  confirmLabel,
  busy,
  onConfirm,
}: {
  /** The key under which the words are stored until they are sent. */
  draft: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text: ReactNode;
  confirmLabel: string;
  busy: boolean;
  onConfirm: (message: string) => void;
}) {
  const { t } = useTranslation(['planning', 'common']);
  const [message, setMessage] = useTextDraft(draft);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={text}
      closeLabel={t('common:close')}
      action={
        <Button tone="brand" full busy={busy} onClick={() => onConfirm(message.trim())}>
          {confirmLabel}
        </Button>
      }
    >
      <Field label={t('planning:ask.message')} note={t('common:optional')}>
        <TextArea
          rows={2}
          maxLength={noteLength}
          value={message}
          placeholder={t('planning:ask.messageHint')}
          onChange={(event) => setMessage(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
