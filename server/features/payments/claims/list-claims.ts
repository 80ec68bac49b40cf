import type { OutputOf } from '#contract/define.ts';
import type { listDisputes } from '#contract/payments/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { peopleByIds } from '../../identity/service.ts';
import { latestReconciliation } from '../reconciliation/store.ts';
import { viewClaim, viewPayment } from '../view.ts';
import * as store from './store.ts';
import type { ClaimRow } from './store.ts';

const pageSize = 30;

/** All claims for the admins, those to be decided first, with what the last reconciliation found. */
export async function listClaims(
  app: App,
  adminId: string,
  input: { state: ClaimRow['state'] | 'all'; offset: number },
): Promise<OutputOf<typeof listDisputes>> {
  const { db, clock, audit } = app;
  const [{ rows, total }, latest] = await Promise.all([
    store.listClaims(db, { ...input, size: pageSize }),
    latestReconciliation(db),
  ]);
  const personIds = rows.flatMap(({ claim }) => [claim.passengerId, claim.driverId]);
  await audit.noteReading(adminId, 'disputes', personIds);
  const people = await peopleByIds(app, personIds);
  const now = clock.now();
  return {
    disputes: rows.map(({ claim, authorization }) => ({
      ...viewClaim(claim),
      passenger: people.get(claim.passengerId) ?? null,
      driver: people.get(claim.driverId) ?? null,
      orderNumber: authorization.orderNumber,
      from: authorization.fromName,
      to: authorization.toName,
      rideAt: authorization.rideAt.toISOString(),
      timeZone: authorization.timeZone,
      payment: viewPayment(authorization, claim, {
        side: 'driver',
        now,
        terms: app.payments.terms,
        reminder: undefined,
      }),
    })),
    total,
    reconciliation: latest && {
      at: latest.at.toISOString(),
      checked: latest.checked,
      differences: latest.differences,
    },
  };
}
