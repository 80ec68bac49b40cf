import { Link } from '@tanstack/react-router';
import {
  CalendarDays,
  CarFront,
  Clock,
  Eye,
  Footprints,
  Hand,
  Heart,
  MessageSquareText,
  PlaneTakeoff,
  Spline,
  Users,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { preferenceNames } from '#contract/rides/preferences.ts';
import type { Order } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Card, Section } from '../../../ui/surfaces.tsx';
import { useVehicleWords } from '../../../domain/ride/vehicle-words.ts';

/** Everything else worth knowing: car, seats, detour, flexibility, who sees it, flight, event, note. */
export function FactsSection({ order }: { order: Order }) {
  const { t } = useTranslation('rides');
  return (
    <Section title={t('facts.title')}>
      <Card>
        <dl className="flex flex-col gap-4">
          {order.role === 'driver' ? <RideFacts ride={order} /> : <RequestFacts request={order} />}
          {preferenceNames.some((name) => order.preferences[name]) && (
            <Fact icon={Heart} label={t('facts.preferences')}>
              {preferenceNames
                .filter((name) => order.preferences[name])
                .map((name) => t(`facts.prefers.${order.role}.${name}`))
                .join(' · ')}
            </Fact>
          )}
          {order.flightNumber !== '' && (
            <Fact icon={PlaneTakeoff} label={t('facts.flight')}>
              {order.flightNumber}
            </Fact>
          )}
          {order.eventId !== null && order.eventName !== '' && (
            <Fact icon={CalendarDays} label={t('facts.event')}>
              <Link
                to="/pages/events/events"
                search={{ id: order.eventId }}
                className="font-semibold text-brand-ink underline-offset-4 hover:underline"
              >
                {order.eventName}
              </Link>
            </Fact>
          )}
          {order.mine && (
            <Fact icon={Eye} label={t('facts.visibility')}>
              {t(`facts.seenBy.${order.visibility}`)}
            </Fact>
          )}
          {order.note !== '' && (
            <Fact icon={MessageSquareText} label={t('facts.note')}>
              <span className="break-words whitespace-pre-line">{order.note}</span>
            </Fact>
          )}
        </dl>
      </Card>
    </Section>
  );
}

function RideFacts({ ride }: { ride: Extract<Order, { role: 'driver' }> }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const vehicleWords = useVehicleWords();
  const flexible = Date.parse(ride.latestDepartsAt) > Date.parse(ride.departsAt);
  return (
    <>
      {ride.vehicle && (
        <Fact icon={CarFront} label={t('facts.vehicle')}>
          {vehicleWords(ride.vehicle)}
          {ride.vehicle.plate !== '' && (
            <span className="figures ml-2 rounded-small border border-edge px-1.5 py-0.5 text-small font-semibold">
              {ride.vehicle.plate}
            </span>
          )}
        </Fact>
      )}
      <Fact icon={Users} label={t('facts.seats')}>
        {t('seatsFree', { count: ride.seatsFree, seats: ride.seats })}
      </Fact>
      {flexible && (
        <Fact icon={Clock} label={t('facts.flexible')}>
          {t('facts.leavesBy', { time: format.timeOfDay(ride.latestDepartsAt, ride.timeZone) })}
        </Fact>
      )}
      <Fact icon={ride.instant ? Zap : Hand} label={t('facts.joining')}>
        {t(ride.instant ? 'facts.instant' : 'facts.byRequest')}
      </Fact>
      <Fact icon={Spline} label={t('facts.detour')}>
        {t('facts.detourUpTo', { time: format.duration(ride.maxDetourSeconds) })}
      </Fact>
    </>
  );
}

function RequestFacts({ request }: { request: Extract<Order, { role: 'passenger' }> }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  return (
    <>
      <Fact icon={Users} label={t('facts.seats')}>
        {t('seats', { count: request.seats })}
      </Fact>
      <Fact icon={Clock} label={t('facts.arriveBy')}>
        {format.when(request.arriveBy, request.timeZone)}
      </Fact>
      {request.walkMetres > 0 && (
        <Fact icon={Footprints} label={t('facts.walk')}>
          {t('facts.walkUpTo', { time: format.walk(request.walkMetres) })}
        </Fact>
      )}
    </>
  );
}

function Fact({ icon: Icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="relative pl-8">
      <dt className="text-small text-ink-3">
        <Icon aria-hidden className="absolute top-0.5 left-0 size-5 text-ink-2" />
        {label}
      </dt>
      <dd className="text-body">{children}</dd>
    </div>
  );
}
