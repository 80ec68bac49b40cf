import * as calls from '#contract/admin/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { readStatistics } from './read-statistics.ts';

export const serveStatistics = (serve: Serve, app: App): void =>
  serve(calls.statistics, (input) => readStatistics(app, input.by));
