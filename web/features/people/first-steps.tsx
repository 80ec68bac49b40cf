import { Link } from '@tanstack/react-router';
import { Camera, CarFront, IdCard, Phone, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/user/endpoints.ts';
import { listVehicles } from '#contract/vehicles/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { PartView } from '../../core/query-view.tsx';
import { useStartSide } from '../../core/use-start-side.ts';
import { List, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';

const pages = {
  photo: ['/pages/account/avatar', Camera],
  phone: ['/pages/account/updatephone', Phone],
  vehicle: ['/pages/car/editor', CarFront],
  license: ['/pages/account/drvinglicense', IdCard],
} as const satisfies Record<string, readonly [to: string, icon: LucideIcon]>;

type Step = keyof typeof pages;

/**
 * Steps that a new person has not done yet, each on its page: for all a photo and a phone, for drivers a
 * vehicle and their license too. Gone once all of it is done.
 */
export function FirstSteps({ profile }: { profile: Profile }) {
  const { t } = useTranslation('people');
  const isDriver = useStartSide() === 'driver';
  const vehicles = useCall(listVehicles, {}, { enabled: isDriver, quiet: true });
  const ofAll: Step[] = [
    ...(profile.avatar === '' ? ['photo' as const] : []),
    ...(profile.phoneVerified ? [] : ['phone' as const]),
  ];
  if (!isDriver) return <Steps steps={ofAll} />;
  return (
    <PartView query={vehicles} failed={t('firstSteps.failed')}>
      {(shown) => (
        <Steps
          steps={[
            ...ofAll,
            ...(shown.vehicles.length === 0 ? ['vehicle' as const] : []),
            ...(profile.license === 'none' ? ['license' as const] : []),
          ]}
        />
      )}
    </PartView>
  );
}

function Steps({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation('people');
  if (steps.length === 0) return null;
  return (
    <Section title={t('firstSteps.title', { count: steps.length })}>
      <List>
        {steps.map((step) => {
          const [to, Icon] = pages[step];
          return (
            <li key={step}>
              <Link to={to} className={rowVariants}>
                <RowContent
                  leading={<Icon aria-hidden className="size-6 text-brand-ink" />}
                  title={t(`firstSteps.${step}.title`)}
                  detail={t(`firstSteps.${step}.why`)}
                  chevron
                />
              </Link>
            </li>
          );
        })}
      </List>
    </Section>
  );
}
