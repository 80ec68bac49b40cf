import {
  Armchair,
  Dog,
  Footprints,
  Leaf,
  Luggage,
  Route,
  Tag,
  ThumbsUp,
  UserCheck,
  Users,
  Volume1,
  Volume2,
  type LucideIcon,
} from 'lucide-react';
import type { Reason } from '#contract/rides/views.ts';

const icons = {
  detour: Route,
  walk: Footprints,
  seatsLeft: Armchair,
  free: Tag,
  belowOffer: Tag,
  contact: UserCheck,
  contactsInCommon: Users,
  accepts: ThumbsUp,
  notQuiet: Volume2,
  savedCo2: Leaf,
} as const satisfies Record<Exclude<Reason['kind'], 'prefers'>, LucideIcon>;

const preferenceIcons = { pets: Dog, luggage: Luggage, quiet: Volume1, women: Users } as const;

/** The icon next to the words of a reason. */
export const reasonIcon = (reason: Reason): LucideIcon =>
  reason.kind === 'prefers' ? preferenceIcons[reason.what] : icons[reason.kind];
