import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../core/navigation.ts';
import { RoleSwitch } from '../../features/planning/role-switch.tsx';
import { homeView } from '../../features/planning/home-view.ts';
import { usePlannedRouteOnMap } from '../../features/planning/use-planned-route.ts';
import { RidesAndChat } from '../../domain/rides-and-chat.tsx';
import { LocateButton } from '../../map/locate-button.tsx';
import { MapScreen } from '../../map/map-screen.tsx';
import { MapView } from '../../map/map-view.tsx';
import type { usePosition } from '../../map/position.ts';
import { Sheet, type SheetSnap } from '../../ui/sheet.tsx';
import { PlanPlaceDialog } from '../address/place-dialog.tsx';
import type { HomePlan } from './use-home-plan.ts';

/**
 * The frame of both homes: the map with the way that is planned, and the plan in a sheet over it, with its
 * question, its one action and the chooser of its places.
 */
export function HomeScreen({
  side,
  plan: { values, change, route },
  position,
  action,
  sheet = {},
  children,
}: {
  side: 'driver' | 'passenger';
  plan: HomePlan;
  position: ReturnType<typeof usePosition>;
  action: ReactNode;
  /** How far the sheet is open, where the page moves it. */
  sheet?: { snap?: SheetSnap; onSnap?: (snap: SheetSnap) => void };
  children: ReactNode;
}) {
  const { t } = useTranslation(['planning', 'common']);
  const question = t(`planning:${side}.question`);
  const { fit, ...shown } = usePlannedRouteOnMap(values.from, values.to, route.quote);
  const view = homeView(fit, position.at);
  return (
    <>
      <MapScreen
        title={usePageTitle()}
        top={<RoleSwitch side={side} />}
        tools={
          <>
            <RidesAndChat />
            <LocateButton position={position} floating />
          </>
        }
        map={
          <MapView
            label={t('common:map.label')}
            routes={shown.routes}
            pins={shown.pins}
            {...view}
            own={position.at}
          />
        }
        sheet={
          <Sheet
            label={question}
            words={{ bigger: t('common:sheet.bigger'), smaller: t('common:sheet.smaller') }}
            {...sheet}
            header={<h2 className="text-heading">{question}</h2>}
            action={action}
          >
            {children}
          </Sheet>
        }
      />
      <PlanPlaceDialog plan={values} change={change} goesOn />
    </>
  );
}
