import { useState } from 'react';

/** How long an outcome is shown. A refusal says what to do instead. */
const shownMs = { copied: 2_000, refused: 10_000 };

type Outcome = keyof typeof shownMs;

/** Copies a value. The outcome is shown for a while. */
export function useCopy(value: string) {
  const [outcome, setOutcome] = useState<Outcome>();

  async function copy(): Promise<Outcome> {
    const result = await tryToCopy(value);
    setOutcome(result);
    setTimeout(() => setOutcome(undefined), shownMs[result]);
    return result;
  }

  return { outcome, copy };
}

async function tryToCopy(value: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(value);
    return 'copied';
  } catch {
    // Not allowed to, or a browser that lets no page do it.
    return 'refused';
  }
}
