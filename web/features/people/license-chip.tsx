import { BadgeCheck, BadgeX, CircleDashed, Hourglass, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/user/endpoints.ts';
import { StateChip, type Tone } from '../../ui/chips.tsx';

type License = Profile['license'];

const looks: Record<License, [Tone, LucideIcon]> = {
  none: ['neutral', CircleDashed],
  Reviewing: ['warn', Hourglass],
  Accepted: ['brand', BadgeCheck],
  Reject: ['danger', BadgeX],
};

/** How far the review of a driver license has come. */
export function LicenseChip({ license }: { license: License }) {
  const { t } = useTranslation('people');
  const [tone, Icon] = looks[license];
  return (
    <StateChip tone={tone} icon={<Icon aria-hidden />}>
      {t(`license.${license}`)}
    </StateChip>
  );
}
