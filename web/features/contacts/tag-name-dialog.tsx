import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createTag, tagNameLength, updateTag } from '#contract/contacts/endpoints.ts';
import { useTextDraft } from '../../core/drafts.ts';
import { errorWords, fieldWords, type Refused } from '../../core/errors.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import type { Tag } from './with-contacts.tsx';

/** The name of a tag as it is typed, what is wrong with it, and saving it. */
function useTagName(tag: Tag | null, onSaved: (tag: Tag) => void) {
  const { t } = useTranslation('contacts');
  const [name, setName, forgetDraft] = useTextDraft(`tag.${tag?.id ?? 'new'}`, tag?.name ?? '');
  const [problem, setProblem] = useState('');
  const outcome = {
    invalidates: ['/tag/', '/contact/'],
    onDone: (saved: Tag) => {
      forgetDraft();
      onSaved(saved);
    },
    onRefused: (refused: Refused) => {
      const why = refused.fields['name'];
      if (why === undefined) return false;
      setProblem(refused.reason === 'input.invalid' ? fieldWords(why) : errorWords(refused));
      return true;
    },
  };
  const create = useAction(createTag, outcome);
  const rename = useAction(updateTag, outcome);
  const save = () => {
    if (name.trim() === '') setProblem(t('tags.nameMissing'));
    else if (tag === null) create.run({ name });
    else rename.run({ id: tag.id, name });
  };
  const write = (typed: string) => {
    setName(typed);
    setProblem('');
  };
  return { name, write, problem, busy: create.busy || rename.busy, save };
}

/** Names a new tag, or renames one. Mount a new one (`key`) for each opening. */
export function TagNameDialog({
  tag,
  open,
  onOpenChange,
  onSaved,
}: {
  /** Null makes a new one. */
  tag: Tag | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSaved?: (tag: Tag) => void;
}) {
  const { t } = useTranslation(['contacts', 'common']);
  const { name, write, problem, busy, save } = useTagName(tag, (saved) => {
    onOpenChange(false);
    onSaved?.(saved);
  });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t(tag === null ? 'contacts:tags.create' : 'contacts:tags.renameTitle')}
      closeLabel={t('common:close')}
      action={
        <Button full busy={busy} onClick={save}>
          {t('contacts:tags.save')}
        </Button>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field
          label={t('contacts:tags.name')}
          hint={t('contacts:tags.nameHint')}
          error={problem === '' ? undefined : problem}
        >
          <TextInput
            value={name}
            maxLength={tagNameLength}
            autoComplete="off"
            onChange={(event) => write(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
