import { Ticks } from './ticks.tsx';

const steps = ['sending', 'unknown', 'sent', 'delivered', 'read', 'failed'] as const;

export const allSteps = (
  <p className="flex gap-3">
    {steps.map((step) => (
      <Ticks key={step} step={step} words={step} />
    ))}
  </p>
);
