import { Building2, MapPin, Milestone, Plane, Signpost, type LucideIcon } from 'lucide-react';
import { iconOf, iconPaths, makiSide } from '../../map/poi-icons.ts';
import type { FoundPlace } from '#contract/geo/endpoints.ts';

const kinds: Record<FoundPlace['kind'], LucideIcon> = {
  town: Building2,
  street: Milestone,
  address: Signpost,
  place: MapPin,
  airport: Plane,
};

/** The kind of a place, as a picture next to its name: the icon that the map gives it. */
export function PlaceIcon({ kind, category }: Pick<FoundPlace, 'kind' | 'category'>) {
  const icon = kind === 'place' ? iconOf(category) : null;
  if (icon !== null)
    return (
      <svg
        aria-hidden
        data-icon={icon}
        viewBox={`0 0 ${makiSide} ${makiSide}`}
        className="size-6 fill-current p-0.5 text-ink-2"
      >
        {iconPaths(icon).map((path) => (
          <path key={path} d={path} />
        ))}
      </svg>
    );
  const Icon = kinds[kind];
  return <Icon aria-hidden className="text-ink-2" />;
}
