import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Problem } from '../../../parts/behaviour/problem.ts';
import { showDone, showProblem } from '../../../parts/overlays/toasts.ts';
import { common } from '../../../texts/common.ts';
import { inWords } from './faults.ts';

export type ActionOptions<Result> = {
  refresh?: readonly (readonly unknown[])[];
  done?: string | ((result: Result) => string | undefined);
  onDone?: (result: Result) => void;
  onProblem?: (problem: Problem) => void;
  onProblemElsewhere?: (problem: Problem) => void;
};

/**
 * Something a person does: runs it once at a time, reloads what it changed, and reports the outcome.
 *
 * @param refresh the start of the query keys that may have changed
 * @param done the notice of its success
 * @param onDone what the caller does after it succeeded; not called if the caller has closed meanwhile
 * @param onProblem shows a problem; without it, or if the caller has closed meanwhile, a notice does
 * @param onProblemElsewhere shows a problem in words if the caller has closed meanwhile
 */
export function useAction<Input = void, Result = unknown>(
  run: (input: Input) => Promise<Result>,
  options: ActionOptions<Result> = {},
) {
  const queries = useQueryClient();
  // A second press may come before the button is drawn as busy.
  const isRunning = useRef(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const reload = () =>
    Promise.all((options.refresh ?? []).map((queryKey) => queries.invalidateQueries({ queryKey })));
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      try {
        return await run(input);
      } finally {
        isRunning.current = false;
      }
    },
    onSuccess: async (result) => {
      const { done } = options;
      const words = typeof done === 'function' ? done(result) : done;
      if (words) showDone(words);
      if (isOpen.current) options.onDone?.(result);
      await reload();
    },
    onError: (error) => {
      const problem = problemFor(error);
      if (problem?.status === 404) void reload();
      const { onProblem, onProblemElsewhere } = options;
      if (problem && onProblem && isOpen.current) onProblem(problem);
      else if (problem && onProblemElsewhere && !isOpen.current) {
        onProblemElsewhere(inWords(problem));
      } else showProblem(problem && inWords(problem));
    },
  });
  /** Resolves to whether it succeeded. A failure is shown, and not thrown. */
  async function finish(input: Input): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    return mutation.mutateAsync(input).then(
      () => true,
      () => false,
    );
  }
  return { run: (input: Input) => void finish(input), finish, busy: mutation.isPending };
}

/** The problem for a person, or none if the fault is our own. */
function problemFor(error: unknown): Problem | undefined {
  if (!(error instanceof Problem)) return undefined;
  return error.status === 404 ? new Problem(404, common('gone')) : error;
}
