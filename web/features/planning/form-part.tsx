import type { ReactNode } from 'react';
import { Card, Section } from '../../ui/surfaces.tsx';

/** A part of a plan on its own white surface, under its heading where it has one. */
export function FormPart({ title, children }: { title?: string; children: ReactNode }) {
  const card = <Card className="flex flex-col gap-4">{children}</Card>;
  return title === undefined ? card : <Section title={title}>{card}</Section>;
}
