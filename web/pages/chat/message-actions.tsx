import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Message } from '#contract/chat/endpoints.ts';
import { readContact } from '#contract/contacts/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { NavigateButton } from '../../features/rides/live/navigate-button.tsx';
import { PersonDangers } from '../../features/contacts/person-dangers.tsx';
import { List, RowContent, rowVariants } from '../../ui/surfaces.tsx';

/** What one can do about the place that a message shows, and about who wrote it. */
export function MessageActions({
  message,
  sender,
}: {
  message: Message;
  /** Null for a message of mine. */
  sender: Person | null;
}) {
  return (
    <>
      {message.place && <NavigateButton to={message.place} />}
      {sender !== null && <AboutSender person={sender} message={message} />}
    </>
  );
}

/**
 * Who wrote a message: their page, and what one rarely wants to do about them. A report begins with the
 * message.
 */
function AboutSender({ person, message }: { person: Person; message: Message }) {
  const { t } = useTranslation('chat');
  const { data } = useCall(readContact, { id: person.id }, { quiet: true });
  return (
    <>
      <List label={person.name}>
        <li>
          <Link to="/pages/contact/user" search={{ id: person.id }} className={rowVariants}>
            <RowContent
              leading={<UserRound aria-hidden className="text-ink-2" />}
              title={t('personPage', { name: person.name })}
              chevron
            />
          </Link>
        </li>
      </List>
      {/* Ending a contact is for their own page. */}
      <PersonDangers
        person={person}
        relation={data?.relation === 'blocked' ? 'blocked' : 'none'}
        message={message}
      />
    </>
  );
}
