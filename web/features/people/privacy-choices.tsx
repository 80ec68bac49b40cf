import { useTranslation } from 'react-i18next';
import {
  phoneReaders,
  readPrivacy,
  savePrivacy,
  type PrivacyChoices as Choices,
} from '#contract/privacy/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { keyOf, useAction } from '../../core/queries.ts';
import { queryClient } from '../../core/query-client.ts';
import { RadioList } from '../../ui/choices.tsx';
import { Card, Section } from '../../ui/surfaces.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toasts.tsx';

export type Privacy = OutputOf<typeof readPrivacy>;

const ways = ['foundByName', 'foundByEmail', 'foundByPhone'] as const;

/** Who may find me and who reads my phone number; saved at once. */
export function PrivacyChoices({ privacy }: { privacy: Privacy }) {
  const { t } = useTranslation('settings');
  const save = useAction(savePrivacy, {
    onDone: (saved) => {
      queryClient.setQueryData(keyOf(readPrivacy, {}), { ...privacy, ...saved });
      toast.done(t('privacy.saved'));
    },
  });
  const { foundByEmail, foundByPhone, foundByName, phoneSeenBy } = privacy;
  const change = (part: Partial<Choices>) =>
    save.run({ foundByEmail, foundByPhone, foundByName, phoneSeenBy, ...part });
  return (
    <>
      <Section title={t('privacy.find')}>
        <p className="text-body text-ink-2">{t('privacy.findText')}</p>
        <Card className="divide-y divide-line py-1">
          {ways.map((way) => (
            <Switch
              key={way}
              label={t(`privacy.${way}`)}
              checked={privacy[way]}
              disabled={save.busy}
              onChange={(on) => change({ [way]: on })}
            />
          ))}
        </Card>
      </Section>
      <Section title={t('privacy.phone')}>
        <Card className="py-1">
          <RadioList
            label={t('privacy.phone')}
            options={phoneReaders.map((value) => ({
              value,
              label: t(`privacy.readers.${value}`),
              detail: t(`privacy.readersText.${value}`),
            }))}
            value={phoneSeenBy}
            onChange={(readers) => change({ phoneSeenBy: readers })}
          />
        </Card>
      </Section>
    </>
  );
}
