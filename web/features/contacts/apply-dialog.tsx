import { useTranslation } from 'react-i18next';
import { applyForContact, applyMessageLength } from '#contract/contacts/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Asks a person to become a contact, with a message. */
export function ApplyDialog({
  person,
  ticket = '',
  open,
  onOpenChange,
}: {
  person: Person;
  /** From the search or the address book that found them. */
  ticket?: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation(['contacts', 'common']);
  const [message, setMessage, forgetDraft] = useTextDraft(`apply.${person.id}`);
  const { name } = person;
  const apply = useAction(applyForContact, {
    invalidates: ['/contact/'],
    onDone: ({ relation }) => {
      forgetDraft();
      onOpenChange(false);
      if (relation === 'contact') toast.done(t('contacts:apply.becameContact', { name }));
      else toast.done(t('contacts:apply.sent'));
    },
  });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('contacts:apply.title', { name })}
      description={t('contacts:apply.text')}
      closeLabel={t('common:close')}
      action={
        <Button full busy={apply.busy} onClick={() => apply.run({ id: person.id, message, ticket })}>
          {t('contacts:apply.send')}
        </Button>
      }
    >
      <Field
        label={t('contacts:apply.message')}
        note={t('common:optional')}
        hint={t('contacts:apply.hint')}
        error={apply.fields['message']}
      >
        <TextArea
          rows={3}
          maxLength={applyMessageLength}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
