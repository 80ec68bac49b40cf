import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Card } from '../../ui/surfaces.tsx';

/** The result of a test, as text. */
export interface TryResult {
  good: boolean;
  text: string;
  /** The other server's own message. */
  said?: string;
}

/** One configured service: its name, its state, and a button that tests it. */
export function TryCard({
  icon,
  title,
  facts,
  good,
  children,
  run,
}: {
  icon: ReactNode;
  title: string;
  facts: readonly string[];
  /** Whether the configuration is good enough for people; null if only a test can tell. */
  good: boolean | null;
  /** The inputs of the test, above the button. */
  children?: ReactNode;
  run?: { label: string; busy: boolean; onTry: () => void; result: TryResult | null };
}) {
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <span
          aria-hidden
          className="grid size-10 shrink-0 place-items-center rounded-full bg-brand-soft text-brand-ink [&>svg]:size-5"
        >
          {icon}
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <h2 className="text-lead">{title}</h2>
          {facts.map((fact) => (
            <p
              key={fact}
              className={classes('text-body break-words', good === false ? 'text-warn' : 'text-ink-2')}
            >
              {fact}
            </p>
          ))}
        </div>
      </div>
      {children}
      {run && (
        <div className="flex flex-col items-start">
          <Button tone="quiet" small busy={run.busy} onClick={run.onTry}>
            {run.label}
          </Button>
          <output className="block w-full">{run.result && <Result {...run.result} />}</output>
        </div>
      )}
    </Card>
  );
}

function Result({ good, text, said = '' }: TryResult) {
  const Icon = good ? CircleCheck : CircleAlert;
  return (
    <span
      className={classes(
        'mt-3 flex items-start gap-2 rounded-control px-3 py-2.5 text-body',
        good ? 'bg-brand-soft text-brand-ink' : 'bg-danger-soft text-danger',
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      <span className="min-w-0 flex-1 break-words">
        {text}
        {said !== '' && <span className="mt-1 block text-small">{said}</span>}
      </span>
    </span>
  );
}
