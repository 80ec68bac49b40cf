import { Plus, Tag as TagIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { remarkLength, updateContact, type Contact } from '#contract/contacts/endpoints.ts';
import { useDraft, useTextDraft } from '../../core/drafts.ts';
import { useAction } from '../../core/queries.ts';
import * as shape from '../../core/shape.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chips.tsx';
import { Field, useFieldGroup } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { toast } from '../../ui/toasts.tsx';
import { TagNameDialog } from './tag-name-dialog.tsx';
import type { Tag } from './with-contacts.tsx';

const ids = shape.list(shape.text);

/** What I note about a contact: a remark, and my tags. */
export function NoteForm({
  contact,
  tags,
  onSaved,
}: {
  contact: Contact;
  tags: readonly Tag[];
  onSaved: () => void;
}) {
  const { t } = useTranslation(['contacts', 'common']);
  const of = `note.${contact.person.id}`;
  const [remark, setRemark, forgetRemark] = useTextDraft(of, contact.remark);
  const [tagIds, setTagIds, forgetTags] = useDraft<readonly string[]>(`${of}.tags`, contact.tagIds, ids);
  const [naming, setNaming] = useState({ open: false, times: 0 });
  const save = useAction(updateContact, {
    invalidates: ['/contact/', '/tag/'],
    onDone: () => {
      toast.done(t('common:saved'));
      forgetRemark();
      forgetTags();
      onSaved();
    },
  });
  const toggle = (id: string) =>
    setTagIds((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]));
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.run({ id: contact.person.id, remark, tagIds: [...tagIds] });
      }}
    >
      <Field
        label={t('contacts:edit.remark')}
        note={t('common:optional')}
        hint={t('contacts:edit.remarkHint')}
        error={save.fields['remark']}
      >
        <TextInput
          value={remark}
          maxLength={remarkLength}
          autoComplete="off"
          onChange={(event) => setRemark(event.target.value)}
        />
      </Field>
      <Field label={t('contacts:edit.tags')} note={t('common:optional')}>
        <TagChips
          tags={tags}
          chosen={tagIds}
          onToggle={toggle}
          onNew={() => setNaming(({ times }) => ({ open: true, times: times + 1 }))}
        />
      </Field>
      <Button type="submit" full busy={save.busy}>
        {t('contacts:edit.save')}
      </Button>
      <TagNameDialog
        key={naming.times}
        tag={null}
        open={naming.open}
        onOpenChange={(open) => setNaming(({ times }) => ({ open, times }))}
        onSaved={(made) => setTagIds((before) => [...before, made.id])}
      />
    </form>
  );
}

function TagChips({
  tags,
  chosen,
  onToggle,
  onNew,
}: {
  tags: readonly Tag[];
  chosen: readonly string[];
  onToggle: (id: string) => void;
  onNew: () => void;
}) {
  const { t } = useTranslation('contacts');
  return (
    <fieldset {...useFieldGroup()} className="flex min-w-0 flex-wrap gap-2">
      {tags.map(({ id, name }) => (
        <Chip
          key={id}
          selected={chosen.includes(id)}
          icon={<TagIcon aria-hidden className="size-5" />}
          onClick={() => onToggle(id)}
        >
          {name}
        </Chip>
      ))}
      <Chip icon={<Plus aria-hidden className="size-5" />} onClick={onNew}>
        {t('edit.newTag')}
      </Chip>
    </fieldset>
  );
}
