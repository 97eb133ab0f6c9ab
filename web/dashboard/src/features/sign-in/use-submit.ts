import { type SubmitEvent, useState } from 'react';
import { Problem } from '../../../../parts/problem.ts';
import { common } from '../../../../texts/common.ts';

/**
 * A form of the pages before one is in: hands over what is filled in, and keeps what was wrong with it
 * until the next try.
 *
 * @param send throws a `Problem` that the form should show
 */
export function useSubmit(send: (form: FormData) => Promise<void>) {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    try {
      await send(form);
    } catch (error) {
      setProblem(error instanceof Problem ? error : new Problem(0, common.somethingWrong));
    } finally {
      setBusy(false);
    }
  }
  return { onSubmit, busy, problem, setProblem };
}
