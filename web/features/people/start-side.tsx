import { useTranslation } from 'react-i18next';
import { chooseStartSide } from '../../core/side.ts';
import { useStartSide } from '../../core/use-start-side.ts';
import { SegmentedControl } from '../../ui/choices.tsx';
import { Section } from '../../ui/surfaces.tsx';

/** On which half of the Carpool tab this browser opens the app. */
export function StartSide() {
  const { t } = useTranslation('people');
  return (
    <Section title={t('settings.start')}>
      <SegmentedControl
        label={t('settings.start')}
        value={useStartSide()}
        options={[
          { value: 'driver', label: t('settings.starts.driver') },
          { value: 'passenger', label: t('settings.starts.passenger') },
        ]}
        onChange={chooseStartSide}
      />
    </Section>
  );
}
