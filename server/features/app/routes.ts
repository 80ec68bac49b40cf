import { config, version } from '#contract/app/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { AppService } from './service.ts';

export function serveApp(serve: Serve, app: AppService): void {
  serve(version, async () => app.version());
  serve(config, async () => app.config());
}
