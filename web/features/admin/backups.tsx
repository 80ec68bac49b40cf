import { useTranslation } from 'react-i18next';
import type { readSettings } from '#contract/admin/operations.ts';
import type { OutputOf } from '#contract/define.ts';
import { useFormat } from '../../core/use-format.ts';
import { Banner, Card, Section } from '../../ui/surfaces.tsx';

type State = OutputOf<typeof readSettings>['backup'];

/** When the last backup was made, and why the latest ones failed. */
export function Backups({ state, timeZone }: { state: State; timeZone: string }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const when = (iso: string) => format.when(iso, timeZone);
  return (
    <Section title={t('settings.backups')}>
      <Card className="flex flex-col items-start gap-3">
        <p className="text-body text-ink-2">
          {state === null && t('settings.backupsOff')}
          {state !== null && state.last === null && t('settings.backupNone')}
          {state !== null && state.last !== null && t('settings.backupLast', { when: when(state.last) })}
        </p>
        {state !== null && state.failure !== null && (
          <div className="w-full">
            <Banner kind="danger">
              {t('settings.backupFailed', {
                count: state.failure.tries,
                when: when(state.failure.at),
                next: when(state.failure.next),
              })}
              <span className="block break-words">{state.failure.reason}</span>
            </Banner>
          </div>
        )}
      </Card>
    </Section>
  );
}
