import { useNavigate } from '@tanstack/react-router';
import { CarFront, User } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { homeOf, type Side } from '../../core/side.ts';
import { SegmentedControl } from '../../ui/choices.tsx';

/** Driver or Passenger: the two halves of the Carpool tab. */
export function RoleSwitch({ side }: { side: Side }) {
  const { t } = useTranslation('planning');
  const navigate = useNavigate();
  return (
    <div className="rounded-control bg-surface max-lg:shadow-card">
      <SegmentedControl
        label={t('role.label')}
        value={side}
        options={[
          { value: 'driver', label: t('role.driver'), icon: <CarFront aria-hidden className="size-5" /> },
          { value: 'passenger', label: t('role.passenger'), icon: <User aria-hidden className="size-5" /> },
        ]}
        onChange={(next) => void navigate({ to: homeOf[next], replace: true })}
      />
    </div>
  );
}
