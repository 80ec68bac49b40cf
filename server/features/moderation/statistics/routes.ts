import * as calls from '#contract/admin/endpoints.ts';
import type { Serve } from '../../../app-type.ts';
import { readStatistics } from './read-statistics.ts';

export const serveStatistics = (serve: Serve): void =>
  serve(calls.statistics, (app, input) => readStatistics(app, input.by));
