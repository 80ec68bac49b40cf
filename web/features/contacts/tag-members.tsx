import { Link } from '@tanstack/react-router';
import { UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removeFromTag, type Contact } from '#contract/contacts/endpoints.ts';
import { useAction } from '../../core/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Avatar } from '../../ui/people.tsx';
import { List, RowContent, Section } from '../../ui/surfaces.tsx';
import { MemberPicker } from './member-picker.tsx';
import type { Tag } from './with-contacts.tsx';

/** Who has a tag; people are put in and taken out here. */
export function TagMembers({
  tag,
  contacts,
  tags,
}: {
  tag: Tag;
  contacts: readonly Contact[];
  tags: readonly Tag[];
}) {
  const { t } = useTranslation('contacts');
  const [picking, setPicking] = useState({ open: false, times: 0 });
  const takeOut = useAction(removeFromTag, { invalidates: ['/tag/', '/contact/'] });
  const members = contacts.filter((contact) => contact.tagIds.includes(tag.id));
  return (
    <Section title={t('tags.people')}>
      {members.length === 0 ? (
        <p className="text-body text-ink-2">{t('list.emptyTag')}</p>
      ) : (
        <List label={tag.name}>
          {members.map(({ person }) => (
            <li key={person.id} className="flex items-center gap-1 pr-2">
              <Link
                to="/pages/contact/user"
                search={{ id: person.id }}
                className="flex min-h-14 min-w-0 flex-1 items-center gap-3 py-2.5 pl-4 hover:bg-page focus-visible:-outline-offset-3"
              >
                <RowContent
                  leading={<Avatar name={person.name} src={person.avatar} seed={person.id} />}
                  title={person.name}
                />
              </Link>
              <IconButton
                label={t('tags.takeOutName', { name: person.name })}
                icon={<UserMinus aria-hidden />}
                onClick={() => takeOut.run({ id: tag.id, userIds: [person.id] })}
              />
            </li>
          ))}
        </List>
      )}
      <Button
        tone="quiet"
        full
        icon={<UserPlus aria-hidden className="size-5" />}
        onClick={() => setPicking(({ times }) => ({ open: true, times: times + 1 }))}
      >
        {t('tags.addPeople')}
      </Button>
      <MemberPicker
        key={picking.times}
        tag={tag}
        contacts={contacts}
        tags={tags}
        open={picking.open}
        onOpenChange={(open) => setPicking(({ times }) => ({ open, times }))}
      />
    </Section>
  );
}
