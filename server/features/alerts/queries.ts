import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { alerts, alertWindows } from '../../schema/alerts.ts';

/** The routes and times of a person's alerts that are not over. */
export const awaitedBy = (tx: Db, personId: string, now: Date) =>
  tx
    .select({
      role: alerts.role,
      fromName: alerts.fromName,
      fromDetail: alerts.fromDetail,
      fromLon: alerts.fromLon,
      fromLat: alerts.fromLat,
      toName: alerts.toName,
      toDetail: alerts.toDetail,
      toLon: alerts.toLon,
      toLat: alerts.toLat,
      timeZone: alerts.timeZone,
      women: alerts.women,
      maxDetourMs: alerts.maxDetourMs,
      days: alerts.days,
      fromTime: alerts.fromTime,
      toTime: alerts.toTime,
      /** Only of an alert that is not weekly. */
      at: sql<
        string | null
      >`(select min(${alertWindows.earliestAt}) from ${alertWindows} where ${alertWindows.alertId} = ${alerts.id})`,
      until: sql<
        string | null
      >`(select min(${alertWindows.latestAt}) from ${alertWindows} where ${alertWindows.alertId} = ${alerts.id})`,
    })
    .from(alerts)
    .where(and(eq(alerts.ownerId, personId), gt(alerts.endsAt, now)));
