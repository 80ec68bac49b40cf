import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addToTag, type Contact } from '#contract/contacts/endpoints.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SearchField } from '../../ui/inputs.tsx';
import { Avatar } from '../../ui/people.tsx';
import { searchContacts } from './search.ts';
import type { Tag } from './with-contacts.tsx';

/** Puts contacts into a tag. Mount a new one (`key`) for each opening. */
export function MemberPicker({
  tag,
  contacts,
  tags,
  open,
  onOpenChange,
}: {
  tag: Tag;
  contacts: readonly Contact[];
  tags: readonly Tag[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation(['contacts', 'common']);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [text, setText] = useState('');
  const outside = contacts.filter((contact) => !contact.tagIds.includes(tag.id));
  const add = useAction(addToTag, {
    invalidates: ['/tag/', '/contact/'],
    onDone: () => onOpenChange(false),
  });
  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const empty = contacts.length === 0 ? 'tags.noContacts' : 'tags.everybodyIn';
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('contacts:tags.addPeople')}
      description={t(outside.length === 0 ? `contacts:${empty}` : 'contacts:tags.addPeopleText')}
      closeLabel={t('common:close')}
      action={
        outside.length > 0 && (
          <Button
            full
            disabled={chosen.size === 0}
            busy={add.busy}
            onClick={() => add.run({ id: tag.id, userIds: [...chosen] })}
          >
            {t('contacts:tags.putIn')}
          </Button>
        )
      }
    >
      {outside.length > 8 && (
        <SearchField
          value={text}
          onChange={setText}
          label={t('contacts:list.mine')}
          clearLabel={t('common:clearSearch')}
        />
      )}
      <ul className="divide-y divide-line">
        {searchContacts(outside, tags, text).map(({ person }) => (
          <Choice
            key={person.id}
            person={person}
            isChosen={chosen.has(person.id)}
            onToggle={() => toggle(person.id)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

function Choice({
  person,
  isChosen,
  onToggle,
}: {
  person: Contact['person'];
  isChosen: boolean;
  onToggle: () => void;
}) {
  return (
    <li>
      <label className="flex min-h-14 cursor-pointer items-center gap-3 py-2">
        <input
          type="checkbox"
          className="size-6 shrink-0 accent-brand-ink"
          checked={isChosen}
          onChange={onToggle}
        />
        <Avatar name={person.name} src={person.avatar} seed={person.id} size={36} />
        <span className="min-w-0 text-lead break-words">{person.name}</span>
      </label>
    </li>
  );
}
