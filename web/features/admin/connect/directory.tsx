import { Network } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mapGroup, readDirectory, type GroupRole } from '#contract/connect/directory.ts';
import { mayChangeRole } from '#contract/admin/roles.ts';
import { copyText } from '../../../core/copy.ts';
import { useAction, useCall } from '../../../core/queries.ts';
import { QueryView } from '../../../core/query-view.tsx';
import { useSession } from '../../../core/use-session.ts';
import { Button, TextButton } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Card, EmptyState, Section } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { MapGroup } from './map-group.tsx';

/** People and groups that an organization's directory manages, and the roles of its groups. */
export function Directory() {
  const { t } = useTranslation(['connect', 'common']);
  const query = useCall(readDirectory, {});
  const [maps, setMaps] = useState(false);
  const [ending, setEnding] = useState<GroupRole | null>(null);
  const end = useAction(mapGroup, {
    invalidates: ['/admin/'],
    onDone: () => {
      setEnding(null);
      toast.done(t('connect:directory.changed'));
    },
  });
  return (
    <Section
      title={t('connect:directory.title')}
      action={<TextButton onClick={() => setMaps(true)}>{t('connect:directory.add')}</TextButton>}
    >
      <p className="text-body text-ink-2">{t('connect:directory.text')}</p>
      <QueryView query={query} skeleton={{ rows: 2 }}>
        {({ scimUrl, people, active, groups, roles }) => (
          <div className="flex flex-col gap-3">
            <ScimAddress scimUrl={scimUrl} figures={{ people, active, groups: groups.length }} />
            <GroupRoles roles={roles} onRemove={setEnding} />
          </div>
        )}
      </QueryView>
      <MapGroup open={maps} groups={query.data?.groups ?? []} onClose={() => setMaps(false)} />
      <Confirm
        open={ending !== null}
        onOpenChange={(open) => !open && setEnding(null)}
        title={t('connect:directory.removeTitle', { group: ending?.group ?? '' })}
        text={t('connect:directory.removeText')}
        confirmLabel={t('connect:directory.remove')}
        cancelLabel={t('common:cancel')}
        tone="danger"
        busy={end.busy}
        onConfirm={() => ending !== null && end.run({ group: ending.group, role: null })}
      />
    </Section>
  );
}

function ScimAddress({
  scimUrl,
  figures,
}: {
  scimUrl: string;
  figures: { people: number; active: number; groups: number };
}) {
  const { t } = useTranslation('connect');
  const copy = async () => {
    if (await copyText(scimUrl)) toast.done(t('copied'));
  };
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <p className="text-small font-semibold">{t('directory.address')}</p>
          <p className="font-mono text-small break-all text-ink-2">{scimUrl}</p>
          <p className="text-small text-ink-3">
            {t('directory.people', { count: figures.people })} ·{' '}
            {t('directory.active', { count: figures.active })} ·{' '}
            {t('directory.groups', { count: figures.groups })}
          </p>
        </div>
        <Button tone="quiet" small onClick={() => void copy()}>
          {t('copy')}
        </Button>
      </div>
    </Card>
  );
}

function GroupRoles({
  roles,
  onRemove,
}: {
  roles: readonly GroupRole[];
  onRemove: (role: GroupRole) => void;
}) {
  const { t } = useTranslation(['connect', 'admin']);
  const giver = useSession().user.staffRole;
  if (roles.length === 0)
    return (
      <EmptyState
        icon={<Network />}
        title={t('connect:directory.none')}
        text={t('connect:directory.noneText')}
      />
    );
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card">
      {roles.map((each) => (
        <li
          key={each.group}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
        >
          <div className="min-w-0 flex-1 basis-48">
            <p className="text-lead break-words">{each.group}</p>
            <p className="text-small text-ink-3">{t(`admin:roles.${each.role}`)}</p>
          </div>
          {mayChangeRole(giver, { from: each.role, to: null }) && (
            <Button
              tone="quiet"
              small
              aria-label={t('connect:directory.removeNamed', { group: each.group })}
              onClick={() => onRemove(each)}
            >
              {t('connect:directory.remove')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
