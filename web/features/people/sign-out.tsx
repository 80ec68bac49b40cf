import { useNavigate } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { logout } from '#contract/access/endpoints.ts';
import { call } from '../../core/api.ts';
import { leaveDevice } from '../../core/forget-person.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Ends the session on this device, after asking once. */
export function SignOut({ email }: { email: string }) {
  const { t } = useTranslation(['people', 'common']);
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      await call(logout, {}, { quiet: true });
    } catch {
      // Without a connection the device forgets the session all the same; on the server it ends by its age.
    }
    await navigate({ to: '/', replace: true });
    await leaveDevice();
    toast.done(t('people:settings.signedOut'));
  };
  return (
    <Section title={t('people:settings.session')}>
      <List>
        <ListRow
          leading={<LogOut aria-hidden className="text-danger" />}
          title={t('people:settings.signOut')}
          detail={email}
          danger
          onClick={() => setAsking(true)}
        />
      </List>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('people:settings.signOutTitle')}
        text={t('people:settings.signOutText')}
        confirmLabel={t('people:settings.signOut')}
        cancelLabel={t('common:cancel')}
        tone="primary"
        busy={busy}
        onConfirm={() => void leave()}
      />
    </Section>
  );
}
