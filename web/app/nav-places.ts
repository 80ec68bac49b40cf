import {
  CalendarDays,
  CarFront,
  CircleUserRound,
  Compass,
  MessageCircle,
  Route,
  type LucideIcon,
} from 'lucide-react';

interface NavPlace {
  to:
    | '/'
    | '/pages/order/order'
    | '/pages/chat/chat'
    | '/pages/events/events'
    | '/pages/discover/discover'
    | '/pages/account/account';
  word: 'carpool' | 'rides' | 'chat' | 'events' | 'discover' | 'account';
  icon: LucideIcon;
  /** Addresses that also belong to this place. */
  covers: readonly string[];
}

const carpool: NavPlace = { to: '/', word: 'carpool', icon: CarFront, covers: ['/pages/passenger/'] };
const events: NavPlace = {
  to: '/pages/events/events',
  word: 'events',
  icon: CalendarDays,
  covers: ['/pages/events/'],
};
const discover: NavPlace = {
  to: '/pages/discover/discover',
  word: 'discover',
  icon: Compass,
  covers: ['/pages/discover/'],
};
const account: NavPlace = {
  to: '/pages/account/account',
  word: 'account',
  icon: CircleUserRound,
  covers: [
    '/pages/account/',
    '/pages/car/',
    '/pages/contact/',
    '/pages/legal/',
    '/pages/about/',
    '/pages/feedback/',
    '/pages/admin/',
    '/pages/references/',
  ],
};
const rides: NavPlace = { to: '/pages/order/order', word: 'rides', icon: Route, covers: ['/pages/order/'] };
const chat: NavPlace = {
  to: '/pages/chat/chat',
  word: 'chat',
  icon: MessageCircle,
  covers: ['/pages/chat/'],
};

export const tabs: readonly NavPlace[] = [carpool, events, discover, account];
export const railPlaces: readonly NavPlace[] = [carpool, rides, chat, events, discover, account];

/** Whether an address belongs to a place of the navigation. */
export const isWithin = (place: NavPlace, pathname: string): boolean =>
  pathname === place.to || place.covers.some((start) => pathname.startsWith(start));
