import { useTranslation } from 'react-i18next';
import { unblockPerson } from '#contract/contacts/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { useAction } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Avatar } from '../../ui/people.tsx';
import { List, RowContent, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Whom I have blocked, and the way to take it back. */
export function BlockedPeople({ people }: { people: readonly Person[] }) {
  const { t } = useTranslation('contacts');
  if (people.length === 0) return null;
  return (
    <Section title={t('list.blocked')}>
      <List label={t('list.blocked')}>
        {people.map((person) => (
          <li key={person.id} className="flex min-h-14 items-center gap-3 px-4 py-2.5">
            <RowContent
              leading={<Avatar name={person.name} src={person.avatar} seed={person.id} />}
              title={person.name}
              trailing={<UnblockButton person={person} />}
            />
          </li>
        ))}
      </List>
    </Section>
  );
}

/** Takes a block back. */
export function UnblockButton({ person, full = false }: { person: Person; full?: boolean }) {
  const { t } = useTranslation('contacts');
  const { id, name } = person;
  const unblock = useAction(unblockPerson, {
    invalidates: ['/contact/', '/order/', '/review/'],
    onDone: () => toast.done(t('person.unblocked', { name })),
  });
  return (
    <Button
      small={!full}
      full={full}
      tone="quiet"
      busy={unblock.busy}
      aria-label={t('person.unblockName', { name })}
      onClick={() => unblock.run({ id })}
    >
      {t('person.unblock')}
    </Button>
  );
}
