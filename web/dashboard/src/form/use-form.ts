import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Problem } from '../../../parts/behaviour/problem.ts';
import { faultsBeyond } from '../api/faults.ts';
import { type ActionOptions, useAction } from '../api/use-action.ts';

type NameOf<Values, Wanted> = {
  [Name in keyof Values]: Values[Name] extends Wanted ? Name : never;
}[keyof Values] &
  string;

/**
 * A form: what a person changed over the values that are saved, which may be loaded again at any time.
 * Loaded values never replace what was typed.
 *
 * @param values the saved values, or those that a new record begins with
 * @param clean makes values comparable and ready to save, such as a name without spaces around it
 * @param save is given the fields that differ from the saved values, and all values
 */
export function useForm<Values extends object, Result = unknown>({
  values: saved,
  clean = (values) => values,
  save,
  ...outcome
}: {
  values: Values;
  clean?: (values: Values) => Values;
  save: (changes: Partial<Values>, values: Values) => Promise<Result>;
} & Omit<ActionOptions<Result>, 'onProblem'>) {
  const [edits, setEdits] = useState<Partial<Values>>({});
  const [errors, setErrors] = useState<Problem['errors']>({});
  const [faults, setFaults] = useState<string[]>([]);
  const element = useRef<HTMLFormElement>(null);
  const isSaving = useRef(false);
  // A field registers by the name that its control asks for. Its errors are then shown there.
  const registered = new Set<string>();

  const values = { ...saved, ...edits };
  const changes = changesOf(clean(saved), clean(values));
  const isDirty = Object.keys(changes).length > 0;
  const action = useAction(() => save(changes, clean(values)), { ...outcome, onProblem: refuse });

  /** Shows what is wrong with each field, and the rest above the buttons. */
  function refuse(problem: Problem) {
    const beyond = faultsBeyond(problem, registered);
    const hasFields = Object.keys(problem.errors).length > 0;
    flushSync(() => {
      setErrors(problem.errors);
      setFaults(hasFields ? beyond : [problem.message]);
    });
    focusFault(element.current);
  }

  async function submit() {
    if (isSaving.current) return;
    setErrors({});
    setFaults([]);
    isSaving.current = true;
    const sent = edits;
    const isSaved = await action.finish();
    isSaving.current = false;
    // Later changes are not saved yet.
    if (isSaved) setEdits((now) => changesOf(sent, now));
  }

  /** Changes several values at once, and forgets their errors and those of the fields in `also`. */
  function set(part: Partial<Values>, ...also: string[]) {
    const names = new Set([...Object.keys(part), ...also]);
    setEdits((now) => ({ ...now, ...part }));
    setErrors((now) =>
      Object.fromEntries(Object.entries(now).filter(([name]) => !names.has(name))),
    );
  }

  /** Returns the errors of fields that one control shows. */
  function errorsOf(...names: string[]): string[] | undefined {
    for (const name of names) registered.add(name);
    const found = names.flatMap((name) => errors[name] ?? []);
    return found.length > 0 ? found : undefined;
  }

  return {
    values,
    isDirty,
    /** Whether leaving now would lose something. */
    hasUnsaved: () => isDirty && !isSaving.current,
    set,
    submit: () => void submit(),
    busy: action.busy,
    faults,
    element,
    errorsOf,
    /** Ties a field to a native control, which also shows the errors of the fields in `also`. */
    text: <Name extends NameOf<Values, string>>(name: Name, ...also: string[]) => ({
      value: values[name] as string,
      errors: errorsOf(name, ...also),
      onChange: ({ target }: { target: { value: string } }) =>
        set({ [name]: target.value } as Partial<Values>, ...also),
    }),
    /** Ties a field to a control that hands over values. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      value: values[name],
      errors: errorsOf(name),
      onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
    }),
  };
}

/** The members of a form that a part needs to show some of its fields. */
export type FormOf<Values extends object> = Pick<
  ReturnType<typeof useForm<Values>>,
  'values' | 'set' | 'text' | 'field' | 'errorsOf'
>;

/** The members of every form, whatever its values. */
export type FormState = Pick<
  ReturnType<typeof useForm<object>>,
  'isDirty' | 'hasUnsaved' | 'submit' | 'busy' | 'faults' | 'element'
>;

/** Picks the values that differ from those before. */
function changesOf<Values extends object>(before: Values, now: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Values]),
    ),
  ) as Partial<Values>;
}

/** Moves the focus to the first field with an error, otherwise to the faults above the buttons. */
function focusFault(form: HTMLFormElement | null) {
  const control =
    form?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid] :is(input, button)') ??
    form?.querySelector<HTMLElement>('[data-faults]');
  const folded = control?.closest('details');
  if (folded) folded.open = true;
  control?.focus();
}
