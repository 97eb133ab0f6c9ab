import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Problem } from '../api.ts';
import { showDone, showProblem } from './toasts.tsx';

/**
 * Something a person does: runs it once at a time, reloads what it changed, and says how it went.
 * What is wrong with single fields is in `errors`; everything else becomes a notice.
 *
 * @param refresh the start of the query keys that may have changed
 */
export function useAction<Input = void, Result = unknown>(
  run: (input: Input) => Promise<Result>,
  options: {
    refresh?: readonly (readonly unknown[])[];
    done?: string | ((result: Result) => string | undefined);
    onDone?: (result: Result) => void;
  } = {},
) {
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: run,
    onSuccess: async (result) => {
      const { done } = options;
      const words = typeof done === 'function' ? done(result) : done;
      if (words) showDone(words);
      options.onDone?.(result);
      await Promise.all(
        (options.refresh ?? []).map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
    },
    onError: (error) => {
      if (!(error instanceof Problem && Object.keys(error.errors).length > 0)) showProblem(error);
    },
  });
  const errors = mutation.error instanceof Problem ? mutation.error.errors : {};
  return {
    run: mutation.mutate,
    /** The same, for who waits for its end; settles without an error, which was shown. */
    finish: (input: Input) => mutation.mutateAsync(input).catch(() => {}),
    busy: mutation.isPending,
    errors,
    reset: mutation.reset,
  };
}
