import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import { appVersion } from '#contract/app/endpoints.ts';
import type { Env } from '../env.ts';

interface TraceSpan {
  note(attributes: Attributes): void;
  fail(): void;
  /** Adds a span that has already ended. Instants in milliseconds since 1970. */
  addPast(part: {
    name: string;
    attributes: Attributes;
    fromMs: number;
    untilMs: number;
    hasFailed: boolean;
  }): void;
  end(): void;
}

/** Traces for the operator's collector, by OTLP over HTTP. */
export interface Traces {
  /** Begins the span of a call; null if it is not traced. @param traceparent the W3C header of the request */
  beginCall(name: string, traceparent: unknown): TraceSpan | null;
  /** Sends the spans that are still waiting. */
  close(): Promise<void>;
}

const noTraces: Traces = { beginCall: () => null, close: async () => undefined };

type TraceEnv = Pick<
  Env,
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER_ARG'
  | 'ROLES'
>;

/** Connects to the collector; without one, the libraries are not loaded. */
export async function openTraces(env: TraceEnv): Promise<Traces> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env;
  if (endpoint === undefined) return noTraces;
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': env.OTEL_SERVICE_NAME,
      'service.version': appVersion,
      'service.instance.id': `${process.pid}`,
      'sameway.roles': [...env.ROLES].join(','),
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(env.OTEL_TRACES_SAMPLER_ARG),
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 2000 })],
  });
  return {
    beginCall: beginWith(api, provider.getTracer('sameway', appVersion)),
    close: () => provider.shutdown(),
  };
}

function beginWith(
  { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }: typeof import('@opentelemetry/api'),
  tracer: Tracer,
): Traces['beginCall'] {
  const spanOf = (span: Span): TraceSpan => ({
    note: (attributes) => void span.setAttributes(attributes),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
    addPast({ name, attributes, fromMs, untilMs, hasFailed }) {
      const parent = trace.setSpan(ROOT_CONTEXT, span);
      const options = { kind: SpanKind.CLIENT, attributes, startTime: fromMs };
      const part = tracer.startSpan(name, options, parent);
      if (hasFailed) part.setStatus({ code: SpanStatusCode.ERROR });
      part.end(untilMs);
    },
    end: () => span.end(),
  });
  return (name, traceparent) => {
    const sent =
      typeof traceparent === 'string'
        ? /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent)
        : null;
    const [, traceId = '', spanId = '', flags = '0'] = sent ?? [];
    const parent =
      sent === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId,
            spanId,
            traceFlags: Number.parseInt(flags, 16),
            isRemote: true,
          });
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
    return span.isRecording() ? spanOf(span) : null;
  };
}

/** A running request of a person, over HTTP or a socket. */
export interface RequestTrace {
  /** The id from the browser; safe to use in a log, an SQL comment and a name. */
  id: string;
  /** Null if it is not traced. */
  span: TraceSpan | null;
}

const current = new AsyncLocalStorage<RequestTrace>();

export const requestUnderWay = (): RequestTrace | undefined => current.getStore();

export const inRequest = <T>(request: RequestTrace, work: () => T): T => current.run(request, work);

/** With a word before it, it fits into the length of a name in PostgreSQL. */
const soundId = /^[A-Za-z0-9-]{8,48}$/;

/** The id from a browser or proxy if it is safe, otherwise a new one. */
export const requestIdOf = (header: unknown): string =>
  typeof header === 'string' && soundId.test(header) ? header : crypto.randomUUID();
