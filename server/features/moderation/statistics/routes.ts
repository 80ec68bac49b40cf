import * as calls from '#contract/admin/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { StatisticsService } from './service.ts';

export const serveStatistics = (serve: Serve, statistics: StatisticsService): void =>
  serve(calls.statistics, (input) => statistics.read(input.by));
