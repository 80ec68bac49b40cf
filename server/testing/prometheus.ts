import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './server-process.ts';

/** A separate Prometheus on 127.0.0.1 that scrapes one server and uses the shipped rules. */
export interface PrometheusServer {
  /** Names of the firing alerts. */
  firing(): Promise<string[]>;
  stop(): Promise<void>;
}

const shipped = path.resolve(import.meta.dirname, '..', '..', 'deploy', 'prometheus');
const startWithinMs = 60_000;
/** Long enough for the slowest gauge. */
const scrapeSeconds = 4;
/** A range of five minutes becomes 20 seconds: five scrapes. */
const rulesFasterBy = 15;

/**
 * Null if none is installed; then it prints a warning. The rules are the shipped ones, with the same
 * thresholds, but time passes faster for them: each range and each `for` is shorter by `rulesFasterBy`.
 */
export async function openPrometheus(of: { port: number; token: string }): Promise<PrometheusServer | null> {
  if (spawnSync('prometheus', ['--version']).error !== undefined) {
    process.stderr.write(
      'prometheus is not installed: the alert rules are not tried (Debian: prometheus).\n',
    );
    return null;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-prometheus-'));
  const read = (name: string) => fs.readFileSync(path.join(shipped, name), 'utf8');
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
  write('metrics-token', of.token);
  write(
    'rules.yml',
    read('rules.yml').replaceAll(
      /(?<=for: |\[)(\d+)m\b/g,
      (_, minutes: string) => `${(Number(minutes) * 60) / rulesFasterBy}s`,
    ),
  );
  write(
    'prometheus.yml',
    read('prometheus.yml')
      .replace(
        'scrape_interval: 15s',
        `scrape_interval: ${scrapeSeconds}s\n  scrape_timeout: ${scrapeSeconds}s`,
      )
      .replace('evaluation_interval: 15s', 'evaluation_interval: 1s')
      .replace('127.0.0.1:3020', `127.0.0.1:${of.port}`),
  );
  const port = await freePort();
  const server = spawn(
    'prometheus',
    [
      `--config.file=${path.join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  server.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-3000);
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const api = (question: string) => fetch(`http://127.0.0.1:${port}${question}`).catch(() => null);
  for (let waited = 0; (await api('/-/ready'))?.ok !== true; waited += 100) {
    if (waited > startWithinMs || server.exitCode !== null)
      throw new Error(`Prometheus did not start:\n${said}`);
    await sleep(100);
  }
  return {
    async firing() {
      const answer = await api('/api/v1/alerts');
      const { data } = (await answer!.json()) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    async stop() {
      server.kill('SIGKILL');
      await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
