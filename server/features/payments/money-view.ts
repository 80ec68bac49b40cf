import type { Chargeback, FraudWarning, PaymentAlarm } from '#contract/payments/views.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { AlarmRow } from './alarms/store.ts';
import type { AuthorizationRow } from './authorizations/store.ts';
import type { ChargebackRow, WarningRow } from './chargebacks/store.ts';

type People = ReadonlyMap<string, Person>;

const shown = (at: Date | null): string | null => at?.toISOString() ?? null;

export const viewAlarm = ({ id, kind, about, detail, times, firstAt, lastAt }: AlarmRow): PaymentAlarm => ({
  id,
  kind,
  about,
  detail,
  times,
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
  canRetry: kind === 'refundRefused' || kind === 'transferRefused',
});

const rideOf = (authorization: AuthorizationRow | null, people: People) => ({
  bookingId: authorization?.bookingId ?? null,
  orderNumber: authorization?.orderNumber ?? '',
  passenger: (authorization && people.get(authorization.passengerId)) ?? null,
  driver: (authorization && people.get(authorization.driverId)) ?? null,
});

export const viewChargeback = (
  row: ChargebackRow,
  authorization: AuthorizationRow | null,
  people: People,
): Chargeback => ({
  id: row.id,
  ...rideOf(authorization, people),
  state: row.state,
  reason: row.reason,
  amountCents: row.amountCents,
  feeCents: row.feeCents,
  withdrawnCents: row.withdrawnCents,
  evidenceDueAt: shown(row.evidenceDueAt),
  hasEvidence: row.hasEvidence,
  evidence: row.evidence,
  openedAt: row.openedAt.toISOString(),
  closedAt: shown(row.closedAt),
  transfer: row.transfer,
  trouble: row.trouble,
  clearedAt: shown(row.clearedAt),
});

export const viewWarning = (
  row: WarningRow,
  authorization: AuthorizationRow | null,
  people: People,
): FraudWarning => ({
  id: row.id,
  ...rideOf(authorization, people),
  fraudType: row.fraudType,
  at: row.at.toISOString(),
});
