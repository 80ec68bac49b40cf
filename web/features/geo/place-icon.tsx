import {
  Briefcase,
  Building2,
  House,
  MapPin,
  Milestone,
  Plane,
  Signpost,
  Star,
  Store,
  type LucideIcon,
} from 'lucide-react';
import type { FoundPlace, Shortcut } from '#contract/geo/endpoints.ts';

const kinds: Record<FoundPlace['kind'], LucideIcon> = {
  town: Building2,
  street: Milestone,
  address: Signpost,
  place: Store,
  airport: Plane,
};
const shortcuts: Record<Shortcut['label'], LucideIcon> = {
  home: House,
  work: Briefcase,
  other: MapPin,
  labeled: Star,
};

/** What kind of place it is, as a picture beside its name. */
export function PlaceIcon({ kind }: { kind: FoundPlace['kind'] }) {
  const Icon = kinds[kind];
  return <Icon aria-hidden className="text-ink-2" />;
}

export function ShortcutIcon({ label }: { label: Shortcut['label'] }) {
  const Icon = shortcuts[label];
  return <Icon aria-hidden className="text-ink-2" />;
}
