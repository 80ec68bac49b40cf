import {
  Ban,
  CalendarCheck,
  CarFront,
  CircleCheckBig,
  CircleSlash,
  CircleX,
  Clock,
  Handshake,
  MailQuestionMark,
  MapPinCheck,
  Navigation,
  Search,
  Send,
  TimerOff,
  UserCheck,
  Users,
  UserX,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { StateLabel } from '#contract/rides/moves.ts';
import { StateChip as Chip, type Tone } from '../../ui/chips.tsx';

/** One color family per stage: looking, asking, agreed, under way, over well, over badly. */
const looks: Record<StateLabel, { tone: Tone; icon: LucideIcon }> = {
  matching: { tone: 'info', icon: Search },
  full: { tone: 'info', icon: Users },
  requesting: { tone: 'warn', icon: Send },
  inviting: { tone: 'warn', icon: MailQuestionMark },
  'waiting for passenger acceptance': { tone: 'warn', icon: Clock },
  joined: { tone: 'brand', icon: CalendarCheck },
  waiting: { tone: 'brand', icon: Clock },
  'driver reached': { tone: 'brand', icon: MapPinCheck },
  departed: { tone: 'brand', icon: Navigation },
  picking: { tone: 'brand', icon: Handshake },
  picked: { tone: 'brand', icon: UserCheck },
  ongoing: { tone: 'brand', icon: CarFront },
  finished: { tone: 'neutral', icon: CircleCheckBig },
  cancel: { tone: 'neutral', icon: Ban },
  expired: { tone: 'neutral', icon: TimerOff },
  rejected: { tone: 'danger', icon: CircleX },
  missed: { tone: 'danger', icon: UserX },
};
const unknown = { tone: 'neutral', icon: CircleSlash } as const;

/** A ride's, request's or booking's state: the specification's label with an icon and its stage's color. */
export function StateChip({ label }: { label: StateLabel }) {
  const { t } = useTranslation('rides');
  const { tone, icon: Icon } = looks[label] ?? unknown;
  return (
    <Chip tone={tone} icon={<Icon aria-hidden />}>
      {t(`state.${label}`)}
    </Chip>
  );
}

/**
 * The head of a card with a person and their state: side by side, but for the one label that leaves no room
 * for a name.
 */
export const headOf = (label: StateLabel): string =>
  label === 'waiting for passenger acceptance'
    ? 'flex flex-col-reverse items-start gap-2'
    : 'flex items-start justify-between gap-2';
