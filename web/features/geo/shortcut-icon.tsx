import { Briefcase, House, MapPin, Star, type LucideIcon } from 'lucide-react';
import type { Shortcut } from '#contract/geo/endpoints.ts';

const shortcuts: Record<Shortcut['label'], LucideIcon> = {
  home: House,
  work: Briefcase,
  other: MapPin,
  labeled: Star,
};

export function ShortcutIcon({ label }: { label: Shortcut['label'] }) {
  const Icon = shortcuts[label];
  return <Icon aria-hidden className="text-ink-2" />;
}
