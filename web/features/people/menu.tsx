import { Link } from '@tanstack/react-router';
import {
  Bell,
  BellRing,
  CarFront,
  CircleQuestionMark,
  Contact,
  IdCard,
  Info,
  Mail,
  MapPinHouse,
  MessageCircle,
  Route,
  Scale,
  Settings,
  ShieldCheck,
  Tag,
  UserPlus,
  Wallet,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { unreadCount } from '#contract/chat/endpoints.ts';
import { listContacts, listTags } from '#contract/contacts/endpoints.ts';
import { countNews } from '#contract/notifications/endpoints.ts';
import type { Profile } from '#contract/user/endpoints.ts';
import { listVehicles } from '#contract/vehicles/endpoints.ts';
import { useConfig } from '../../core/config.ts';
import { useCall } from '../../core/queries.ts';
import { readSession, updateSession } from '../../core/session.ts';
import { List, RowContent, rowVariants } from '../../ui/surfaces.tsx';
import { LicenseChip } from './license-chip.tsx';

const places = {
  rides: ['/pages/order/order', Route],
  chat: ['/pages/chat/chat', MessageCircle],
  vehicles: ['/pages/car/car', CarFront],
  license: ['/pages/account/drvinglicense', IdCard],
  payments: ['/pages/account/payments', Wallet],
  contacts: ['/pages/contact/contact', Contact],
  tags: ['/pages/contact/tags', Tag],
  shortcuts: ['/pages/address/shortcut', MapPinHouse],
  invite: ['/pages/account/invite', UserPlus],
  news: ['/pages/account/notifications', Bell],
  notifications: ['/pages/account/settings/notificationSettings', BellRing],
  settings: ['/pages/account/settings2', Settings],
  feedback: ['/pages/feedback/feedback', CircleQuestionMark],
  legal: ['/pages/legal/legal', Scale],
  about: ['/pages/about/about', Info],
  admin: ['/pages/admin/admin', ShieldCheck],
  outbox: ['/pages/demo/outbox', Mail],
} as const satisfies Record<string, readonly [string, LucideIcon]>;
type Place = keyof typeof places;

const personal: readonly Place[][] = [
  ['rides', 'chat', 'news'],
  ['vehicles', 'license', 'payments'],
  ['contacts', 'tags', 'shortcuts', 'invite'],
  ['notifications', 'settings', 'feedback'],
];

/** Everything that is reached from the Account tab. Without a profile: what a guest may open. */
export function AccountMenu({ profile }: { profile: Profile | null }) {
  const { t } = useTranslation('people');
  const { data: config } = useConfig();
  const enabled = profile !== null;
  const unread = useCall(unreadCount, {}, { enabled, quiet: true }).data?.unread ?? 0;
  const news = useCall(countNews, {}, { enabled, quiet: true }).data?.unread ?? 0;
  const vehicles = useCall(listVehicles, {}, { enabled, quiet: true }).data?.vehicles.length ?? 0;
  const tags = useCall(listTags, {}, { enabled, quiet: true }).data?.tags.length ?? 0;

  const asking =
    useCall(listContacts, {}, { enabled, quiet: true }).data?.applications.filter(
      ({ direction }) => direction === 'in',
    ).length ?? 0;

  const last: Place[] = ['legal', 'about'];
  useEffect(() => {
    // The role may have changed meanwhile.
    if (profile !== null && profile.staffRole !== readSession().staffRole)
      updateSession({ staffRole: profile.staffRole, isAdmin: profile.isAdmin });
  }, [profile]);
  if ((profile?.staffRole ?? null) !== null) last.push('admin');
  if (config?.mailOutbox === true) last.push('outbox');
  const trailing: Partial<Record<Place, ReactNode>> = {
    chat: unread > 0 && (
      <span className="figures rounded-full bg-danger px-2 text-small font-semibold text-white">
        {unread}
      </span>
    ),
    news: news > 0 && (
      <span className="figures rounded-full bg-danger px-2 text-small font-semibold text-white">{news}</span>
    ),
    contacts: asking > 0 && (
      <span className="figures rounded-full bg-danger px-2 text-small font-semibold text-white">
        {asking}
      </span>
    ),
    tags: tags > 0 && <span className="figures">{tags}</span>,
    vehicles: vehicles > 0 && <span className="figures">{vehicles}</span>,
    license: profile !== null && profile.license !== 'none' && <LicenseChip license={profile.license} />,
  };
  return (
    <nav aria-label={t('account.menu')} className="flex flex-col gap-4">
      {[...(profile === null ? [] : personal), last].map((group) => (
        <List key={group[0]}>
          {group.map((place) => {
            const [to, Icon] = places[place];
            return (
              <li key={place}>
                <Link to={to} className={rowVariants}>
                  <RowContent
                    leading={<Icon aria-hidden className="text-ink-2" />}
                    title={t(`account.${place}`)}
                    trailing={trailing[place]}
                    chevron
                  />
                </Link>
              </li>
            );
          })}
        </List>
      ))}
    </nav>
  );
}
