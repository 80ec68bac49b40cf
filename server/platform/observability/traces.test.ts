import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Runs `openTraces` in a process that reports which OpenTelemetry libraries it loads. */
function loadedWith(endpoint: string): string[] {
  const file = JSON.stringify(path.join(import.meta.dirname, 'traces.ts'));
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({
      resolve(name, context, next) {
        if (name.startsWith('@opentelemetry/')) loaded.push(name);
        return next(name, context);
      },
    });
    const { openTraces } = await import(${file});
    const env = { OTEL_EXPORTER_OTLP_HEADERS: {}, OTEL_SERVICE_NAME: 'sameway', OTEL_TRACES_SAMPLER_ARG: 1, ROLES: new Set(['web']) };
    await openTraces({ ...env, ${endpoint === '' ? '' : `OTEL_EXPORTER_OTLP_ENDPOINT: '${endpoint}'`} });
    console.log(JSON.stringify(loaded));
    process.exit(0);
  `;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as string[];
}

test('the tracing libraries are loaded only if a collector is set', () => {
  expect(loadedWith('')).toEqual([]);
  expect(loadedWith('http://127.0.0.1:4318')).toContain('@opentelemetry/sdk-trace');
});
