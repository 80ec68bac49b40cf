import { Laptop, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName, deviceOf } from '#contract/access/device.ts';
import { endSession, sessions } from '#contract/access/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { TextButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Where I am signed in, each with a way to end it. */
export function SessionList() {
  const { t } = useTranslation(['settings', 'common']);
  const read = useCall(sessions, {}, { quiet: true });
  const [ending, setEnding] = useState<{ id?: string; name: string } | null>(null);
  const end = useAction(endSession, {
    invalidates: ['/access/'],
    onDone: ({ ended }) => {
      setEnding(null);
      toast.done(t('settings:sessions.ended', { count: ended }));
    },
  });
  const all = read.data?.sessions ?? [];
  return (
    <Section
      title={t('settings:sessions.title')}
      action={
        all.length > 1 && (
          <TextButton tone="danger" onClick={() => setEnding({ name: '' })}>
            {t('settings:sessions.endOthers')}
          </TextButton>
        )
      }
    >
      <QueryView query={read} failed={t('settings:sessions.failed')} skeleton={{ rows: 2 }}>
        {() => (
          <List label={t('settings:sessions.title')}>
            {all.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnd={(name) => setEnding({ id: session.id, name })}
              />
            ))}
          </List>
        )}
      </QueryView>
      <Confirm
        open={ending !== null}
        onOpenChange={(open) => !open && setEnding(null)}
        title={
          ending?.id === undefined
            ? t('settings:sessions.endOthersTitle')
            : t('settings:sessions.endTitle', { name: ending.name })
        }
        text={t('settings:sessions.endText')}
        confirmLabel={t('settings:sessions.end')}
        cancelLabel={t('common:cancel')}
        busy={end.busy}
        onConfirm={() => end.run(ending?.id === undefined ? {} : { id: ending.id })}
      />
    </Section>
  );
}

/** One device: what it is, when it was last active, and ending it. */
function SessionRow({
  session: { current, userAgent, network, activeAt },
  onEnd,
}: {
  session: OutputOf<typeof sessions>['sessions'][number];
  onEnd: (name: string) => void;
}) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { isPhone } = deviceOf(userAgent);
  const name = deviceName(userAgent) || t('sessions.unknown');
  const used = current ? t('sessions.current') : t('sessions.active', { when: format.relative(activeAt) });
  const Icon = isPhone ? Smartphone : Laptop;
  return (
    <ListRow
      leading={<Icon aria-hidden className="text-ink-2" />}
      title={name}
      detail={network === '' ? used : `${used} · ${network}`}
      trailing={
        !current && (
          <TextButton tone="danger" aria-label={t('sessions.endNamed', { name })} onClick={() => onEnd(name)}>
            {t('sessions.end')}
          </TextButton>
        )
      }
    />
  );
}
