import { Client, type ClientConfig, type Pool } from 'pg';
import { z } from 'zod';
import { rounded } from '../bench-app.ts';

/** A table with this many rows must not be read through. */
export const largeTableRows = 10_000;

/** The work of the database for one call or task. */
export interface DatabaseWork {
  /** Planning and running, all statements together. */
  ms: number;
  /**
   * The processor's part of it, as far as connections of calls have asked: not waiting for it on a busy
   * machine, nor for the disk.
   */
  processorMs: number;
  /** Rows that scans have come across, whether or not a condition let them pass. */
  rowsRead: number;
  slowestStatementMs: number;
  /** The large tables that were read through, once for each time. */
  sequentialScans: string[];
  /** The indexes of which many entries were read to be compared with another one's, likewise. */
  comparedIndexes: string[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}
const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': z.number().optional(),
    'Actual Loops': z.number().optional(),
    'Rows Removed by Filter': z.number().optional(),
    'Rows Removed by Index Recheck': z.number().optional(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.object({ 'Query Text': z.string(), Plan: planNode });

export interface Statement {
  text: string;
  ms: number;
  rowsRead: number;
  sequentialScans: string[];
  comparedIndexes: string[];
}

/** The report of `auto_explain` on one statement; null for another notice. */
export function readNotice(
  message: string,
  isLarge: (table: string) => boolean,
): { statement: Statement; indexes: string[] } | null {
  const [, ms, json] = /^duration: ([\d.]+) ms {2}plan:\n([^]*)$/.exec(message) ?? [];
  if (ms === undefined || json === undefined) return null;
  const { 'Query Text': text, Plan: plan } = explained.parse(JSON.parse(json));
  const nodes = allNodes(plan).filter((node) => (node['Actual Loops'] ?? 0) > 0);
  const scans = nodes.filter(
    (node) => node['Relation Name'] !== undefined && node['Node Type'].endsWith('Scan'),
  );
  return {
    statement: {
      text,
      ms: Number(ms),
      rowsRead: Math.round(scans.reduce((sum, node) => sum + rowsOf(node), 0)),
      // A scan of a table that was emptied meanwhile reads no row.
      sequentialScans: scans.flatMap((node) => {
        const { 'Node Type': type, 'Relation Name': table = '' } = node;
        return type === 'Seq Scan' && isLarge(table) && rowsOf(node) > 0 ? [table] : [];
      }),
      comparedIndexes: nodes
        .filter((node) => node['Node Type'] === 'BitmapAnd')
        .flatMap(({ Plans: compared = [] }) => compared.filter((node) => rowsOf(node) > largeTableRows))
        .flatMap((node) => node['Index Name'] ?? []),
    },
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
  };
}

const allNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(allNodes)];

const rowsOf = (node: PlanNode): number =>
  (node['Actual Loops'] ?? 0) *
  ((node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0));

/** Settings of a server of which each statement tells its plan to its own connection. */
export const explainingSettings = {
  shared_preload_libraries: 'auto_explain,pg_stat_statements',
  'auto_explain.log_min_duration': '-1',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_parameter_max_length': '0',
  'pg_stat_statements.track': 'top',
  'pg_stat_statements.track_planning': 'on',
};
/** Lets a connection of the server under measure report its plans. */
const explainingOption =
  '-c auto_explain.log_min_duration=0 -c client_min_messages=log -c log_planner_stats=on -c log_executor_stats=on';

const batchesName = 'sameway batches';
/**
 * In batches that are written, nested statements are the checks of foreign keys, one for each row: to report
 * each takes ten times as long as the check.
 */
const notNestedOption = '-c auto_explain.log_nested_statements=off';

/** One that also tells its plans; those of batches and of shared transactions have options of their own. */
function tellingPlans(config: ClientConfig): ClientConfig {
  const isOfBatches = config.application_name === batchesName;
  const options = [config.options ?? '', explainingOption, isOfBatches ? notNestedOption : '']
    .join(' ')
    .trim();
  // Settings that a pool hides when they are spread, such as the password, are inherited.
  return Object.assign(Object.create(config) as ClientConfig, { options });
}

/** The processor time of planning or running a statement, as PostgreSQL tells it; 0 of another notice. */
export function readProcessorMs(message: string, detail: string): number {
  if (!/^(?:PLANNER|EXECUTOR) STATISTICS$/.test(message)) return 0;
  const [, user, system] = /([\d.]+) s user, ([\d.]+) s system/.exec(detail) ?? [];
  return 1000 * (Number(user ?? 0) + Number(system ?? 0));
}

/** Reads what each statement of the server has cost, from its own connections. */
export class StatementRecorder {
  readonly #own: Pool;
  readonly #large: ReadonlySet<string>;
  #statements: Statement[] = [];
  #processorMs = 0;
  /** Indexes that any plan has used. */
  readonly usedIndexes = new Set<string>();
  /** The kind of client that the pools of the server are made of. */
  readonly Client: typeof Client;

  private constructor(own: Pool, large: ReadonlySet<string>) {
    this.#own = own;
    this.#large = large;
    const note = (message: string, detail: string) => this.#note(message, detail);
    this.Client = class extends Client {
      constructor(config: ClientConfig = {}) {
        super(tellingPlans(config));
        this.on('notice', ({ message, detail }) => note(message ?? '', detail ?? ''));
      }
    };
  }

  /** @param own connections whose statements are not counted */
  static async open(own: Pool): Promise<StatementRecorder> {
    await own.query('create extension if not exists pg_stat_statements');
    const { rows } = await own.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and reltuples > $1
         and relnamespace = 'public'::regnamespace`,
      [largeTableRows],
    );
    return new StatementRecorder(own, new Set(rows.map(({ name }) => name)));
  }

  #note(message: string, detail: string): void {
    this.#processorMs += readProcessorMs(message, detail);
    const told = readNotice(message, (table) => this.#large.has(table));
    if (told === null) return;
    this.#statements.push(told.statement);
    for (const name of told.indexes) this.usedIndexes.add(name);
  }

  /** The database's work for `work`, and the statements one by one. */
  async during(work: () => Promise<unknown>): Promise<{ work: DatabaseWork; statements: Statement[] }> {
    await this.#own.query('select pg_stat_statements_reset()');
    this.#statements = [];
    this.#processorMs = 0;
    await work();
    const [statements, processorMs] = [this.#statements, this.#processorMs];
    // Later statements belong to nothing that is measured.
    this.#statements = [];
    // auto_explain does not know how long planning took.
    const { rows } = await this.#own.query<{ ms: number }>(
      `select coalesce(sum(total_plan_time + total_exec_time), 0) as ms from pg_stat_statements
       where query not like '%pg_stat_statements_reset%'`,
    );
    return {
      work: {
        ms: rounded(rows[0]?.ms ?? 0),
        processorMs: rounded(processorMs),
        rowsRead: statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
        slowestStatementMs: rounded(Math.max(0, ...statements.map(({ ms }) => ms))),
        sequentialScans: statements.flatMap(({ sequentialScans }) => sequentialScans),
        comparedIndexes: statements.flatMap(({ comparedIndexes }) => comparedIndexes),
      },
      statements,
    };
  }
}
