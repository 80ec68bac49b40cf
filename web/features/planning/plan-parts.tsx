import type { ComponentType } from 'react';
import { MorePart } from './more-part.tsx';
import type { PlanPart } from './plan-kinds.ts';
import { PreferencesPart } from './preferences-part.tsx';
import { RepeatPart } from './repeat-part.tsx';
import { ProposedRoutePart, RoutePart } from './route-part.tsx';
import {
  CarPart,
  JoiningPart,
  PricePart,
  ProposedTermsPart,
  SeatsAndOfferPart,
  VisibilityPart,
} from './terms-parts.tsx';
import { DeparturePart, WeekPart, WindowPart } from './time-parts.tsx';
import { PlanContext, type Plan } from './use-plan.ts';

const drawn: Record<PlanPart, ComponentType> = {
  route: RoutePart,
  departure: DeparturePart,
  window: WindowPart,
  repeat: RepeatPart,
  week: WeekPart,
  car: CarPart,
  price: PricePart,
  seatsAndOffer: SeatsAndOfferPart,
  joining: JoiningPart,
  preferences: PreferencesPart,
  visibility: VisibilityPart,
  more: MorePart,
  proposedRoute: ProposedRoutePart,
  proposedTerms: ProposedTermsPart,
};

/** The form of a plan: the parts that its kind asks, in their order. */
export function PlanParts({ plan }: { plan: Plan }) {
  return (
    <PlanContext value={plan}>
      {plan.kind.parts.map((part) => {
        const Part = drawn[part];
        return <Part key={part} />;
      })}
    </PlanContext>
  );
}
