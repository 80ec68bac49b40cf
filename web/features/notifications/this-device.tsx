import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useInstallOffer } from '../../core/installed-app.ts';
import { Banner, Card, List, ListRow, Section } from '../../ui/surfaces.tsx';
import { Switch } from '../../ui/switch.tsx';
import { usePush, type PushOffer } from './push.ts';

/** Whether notifications reach this device while the app is closed, and the way onto the home screen. */
export function ThisDevice({ push }: { push: PushOffer }) {
  const { t } = useTranslation('notifications');
  const { state, busy, failed, turn } = usePush(push);
  if (state === null) return null;
  return (
    <Section title={t('device.title')}>
      <Card className="py-1">
        <Switch
          label={t('device.push')}
          detail={t(`device.${state}`)}
          checked={state === 'on'}
          disabled={busy || (state !== 'on' && state !== 'off')}
          onChange={turn}
        />
      </Card>
      {failed && (
        <div role="alert">
          <Banner kind="danger">{t('device.failed')}</Banner>
        </div>
      )}
      <p className="text-small text-ink-2">
        {push.devices === 0 ? t('device.none') : t('device.others', { count: push.devices })}
      </p>
      <InstallRow />
    </Section>
  );
}

/** Offers the home screen where the browser does. */
export function InstallRow() {
  const { t } = useTranslation('notifications');
  const install = useInstallOffer();
  if (install === null) return null;
  return (
    <List>
      <ListRow
        leading={<Download aria-hidden className="text-ink-2" />}
        title={t('device.install')}
        detail={t('device.installText')}
        chevron
        onClick={install}
      />
    </List>
  );
}
