import { Link } from '@tanstack/react-router';
import { Ban, Check, Clock, UserPlus, UserRound } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundPerson, Relation } from '#contract/contacts/endpoints.ts';
import { Button } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { Avatar } from '../../ui/people.tsx';
import { List, RowContent } from '../../ui/surfaces.tsx';
import { ApplyDialog } from './apply-dialog.tsx';

const icons: Record<Exclude<Relation, 'none'>, ReactNode> = {
  self: <UserRound aria-hidden />,
  contact: <Check aria-hidden />,
  applied: <Clock aria-hidden />,
  asked: <UserPlus aria-hidden />,
  blocked: <Ban aria-hidden />,
};

/** People who were found, each with the one step towards them. */
export function FoundList({
  people,
  label,
  detailOf,
}: {
  people: readonly FoundPerson[];
  label: string;
  /** The text under the name. */
  detailOf?: (found: FoundPerson) => string;
}) {
  const { t } = useTranslation('contacts');
  const [asking, setAsking] = useState<FoundPerson | null>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <List label={label}>
        {people.map((found) => {
          const { person, relation } = found;
          return (
            <li key={person.id} className="flex items-center gap-2 pr-3">
              <Link
                to="/pages/contact/user"
                search={{ id: person.id }}
                className="flex min-h-14 min-w-0 flex-1 items-center gap-3 py-2.5 pl-4 hover:bg-page focus-visible:-outline-offset-3"
              >
                <RowContent
                  leading={<Avatar name={person.name} src={person.avatar} seed={person.id} />}
                  title={person.name}
                  detail={detailOf?.(found) ?? t('person.rides', { count: person.completedRides })}
                />
              </Link>
              {relation === 'none' ? (
                <Button
                  small
                  tone="brand"
                  aria-label={t('apply.addName', { name: person.name })}
                  icon={<UserPlus aria-hidden className="size-5" />}
                  onClick={() => {
                    setAsking(found);
                    setOpen(true);
                  }}
                >
                  {t('apply.add')}
                </Button>
              ) : (
                <StateChip tone={relation === 'contact' ? 'brand' : 'neutral'} icon={icons[relation]}>
                  {t(`relation.${relation}`)}
                </StateChip>
              )}
            </li>
          );
        })}
      </List>
      {asking !== null && (
        <ApplyDialog
          key={asking.person.id}
          person={asking.person}
          ticket={asking.ticket}
          open={open}
          onOpenChange={setOpen}
        />
      )}
    </>
  );
}
