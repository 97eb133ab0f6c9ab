import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { sentence } from '../../../parts/field.tsx';
import { Problem } from '../../../parts/problem.ts';
import { showDone, showProblem } from '../../../parts/toasts.tsx';
import { common } from '../../../texts/common.ts';

/**
 * Something a person does: runs it once at a time, reloads what it changed, and says how it went.
 * What is wrong with single fields is in `errors`: a form that reads those of a field shows them.
 * Everything else, and what is wrong with fields that nobody reads, becomes a notice.
 *
 * @param refresh the start of the query keys that may have changed
 * @param onDone what the place that asked does then; nobody does it when that has closed meanwhile
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
  const fieldsShown = useRef<ReadonlySet<string>>(new Set());
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
      if (error instanceof Problem && error.status === 404) {
        showProblem(new Problem(404, common.gone));
        void reload();
        return;
      }
      const wrong = Object.entries(error instanceof Problem ? error.errors : {});
      const untold = wrong.filter(([field]) => !fieldsShown.current.has(field));
      if (wrong.length === 0) showProblem(error);
      else if (untold.length > 0) showProblem(new Problem(422, untold.map(wordsOf).join(' ')));
    },
  });
  // Anew at each drawing: a form may show other fields than before.
  const shown = new Set<string>();
  fieldsShown.current = shown;
  const errors = noteReads(mutation.error instanceof Problem ? mutation.error.errors : {}, shown);
  /** For who waits for its end: settles without an error, which was shown. */
  async function finish(input: Input): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    await mutation.mutateAsync(input).catch(() => {});
  }
  return {
    run: (input: Input) => void finish(input),
    finish,
    busy: mutation.isPending,
    errors,
    reset: mutation.reset,
  };
}

function noteReads(errors: Problem['errors'], read: Set<string>): Problem['errors'] {
  return new Proxy(errors, {
    get(fields, field) {
      read.add(String(field));
      return fields[String(field)];
    },
  });
}

/** What is wrong with a field, without the field beside it: `status_id` is then called "Status". */
function wordsOf([field, messages]: [string, string[]]): string {
  const name = field.replace(/_id(s?)$/, '$1').replaceAll('_', ' ');
  return sentence(messages.map((each) => `${name} ${each}`));
}
