import { Ban, ShieldCheck, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listUsers, type ManagedUser } from '#contract/admin/endpoints.ts';
import { mayChangeRole } from '#contract/admin/roles.ts';
import { phoneText } from '../../domain/person/phone-text.ts';
import { usePaginatedCall } from '../../core/queries.ts';
import { useSettled } from '../../core/use-settled.ts';
import { useSession } from '../../core/use-session.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { SearchField } from '../../ui/inputs.tsx';
import { Avatar } from '../../ui/people.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { legalNameOf } from './legal-name.ts';
import { PaginatedList } from '../../core/paginated-list.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import { useMay } from './use-may.ts';

const filters = ['all', 'suspended', 'admins'] as const;

/** Everyone with an account: found by typing, suspended and let in again. */
export function Users({ timeZone, start }: { timeZone: string; start: string }) {
  const { t } = useTranslation(['admin', 'common']);
  const [typed, setTyped] = useState(start);
  const text = useSettled(typed.trim().slice(0, 100));
  const [only, setOnly] = useState<(typeof filters)[number]>('all');
  const [chosen, setChosen] = useState<ManagedUser | null>(null);
  const [promoted, setPromoted] = useState<ManagedUser | null>(null);
  const pages = usePaginatedCall(
    listUsers,
    { text, only },
    { items: ({ users }) => users, total: ({ total }) => total },
  );
  return (
    <div className="flex flex-col gap-4">
      <SearchField
        value={typed}
        onChange={setTyped}
        label={t('admin:users.search')}
        clearLabel={t('common:clearSearch')}
      />
      <SegmentedControl
        label={t('admin:users.filter')}
        options={filters.map((value) => ({ value, label: t(`admin:users.${value}`) }))}
        value={only}
        onChange={setOnly}
      />
      <output className="block text-small text-ink-3">
        {!pages.isPending && t('admin:users.found', { count: pages.total })}
      </output>
      <PaginatedList
        pages={pages}
        empty={
          <EmptyState icon={<UserRound />} title={t('admin:users.none')} text={t('admin:users.noneText')} />
        }
      >
        {(users) => (
          <ul className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card">
            {users.map((user) => (
              <UserRow
                key={user.person.id}
                user={user}
                timeZone={timeZone}
                onSuspend={() => setChosen(user)}
                onRole={() => setPromoted(user)}
              />
            ))}
          </ul>
        )}
      </PaginatedList>
      <SuspendDialog key={chosen?.person.id ?? ''} user={chosen} onClose={() => setChosen(null)} />
      <RoleDialog
        key={`role.${promoted?.person.id ?? ''}`}
        user={promoted}
        onClose={() => setPromoted(null)}
      />
    </div>
  );
}

function UserRow({
  user,
  timeZone,
  onSuspend,
  onRole,
}: {
  user: ManagedUser;
  timeZone: string;
  onSuspend: () => void;
  onRole: () => void;
}) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { person, email, phone, createdAt, suspendedAt } = user;
  const legal = legalNameOf(user);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <Avatar name={person.name} src={person.avatar} seed={person.id} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-lead break-words">
          {person.name === '' ? email : person.name}
          {legal !== '' && legal !== person.name && <span className="text-body text-ink-3"> · {legal}</span>}
        </p>
        <p className="text-small break-all text-ink-3">{email}</p>
        <p className="text-small text-ink-3">
          {phone === '' ? t('users.noPhone') : phoneText(phone)} ·{' '}
          {t('users.joined', { when: format.dayInSentence(createdAt, timeZone) })}
        </p>
        {suspendedAt !== null && (
          <p className="mt-1 text-small break-words text-danger">
            {t('users.since', { when: format.whenInSentence(suspendedAt, timeZone) })}: {user.suspendedReason}
          </p>
        )}
      </div>
      {user.staffRole !== null && (
        <StateChip tone="info" icon={<ShieldCheck aria-hidden />}>
          {t(`roles.${user.staffRole}`)}
        </StateChip>
      )}
      {suspendedAt !== null && (
        <StateChip tone="danger" icon={<Ban aria-hidden />}>
          {t('users.isSuspended')}
        </StateChip>
      )}
      <UserActions user={user} onSuspend={onSuspend} onRole={onRole} />
    </li>
  );
}

/** What the viewer may do to a person. */
function UserActions({
  user: { person, staffRole, suspendedAt },
  onSuspend,
  onRole,
}: {
  user: ManagedUser;
  onSuspend: () => void;
  onRole: () => void;
}) {
  const { t } = useTranslation('admin');
  const may = useMay();
  const giver = useSession().user.staffRole;
  const suspend = suspendedAt === null ? 'users.suspend' : 'users.unsuspend';
  return (
    <>
      {staffRole === null && may('people.suspend') && (
        <Button tone="quiet" small aria-label={`${t(suspend)}: ${person.name}`} onClick={onSuspend}>
          {t(suspend)}
        </Button>
      )}
      {suspendedAt === null && mayChangeRole(giver, { from: staffRole, to: null }) && (
        <Button tone="quiet" small aria-label={t('users.roleOf', { name: person.name })} onClick={onRole}>
          {t('users.role')}
        </Button>
      )}
    </>
  );
}
