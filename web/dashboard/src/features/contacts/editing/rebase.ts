/** Applies the change from `before` to `wanted` to a list that others may have changed: what they added stays. */
export function rebaseList<Entry>(before: Entry[], wanted: Entry[], now: Entry[]): Entry[] {
  const kept = now.filter((each) => wanted.includes(each) || !before.includes(each));
  const added = wanted.filter((each) => !before.includes(each) && !now.includes(each));
  return [...kept, ...added];
}

/** Applies the change from `before` to `wanted` to values by name that others may have changed. */
export function rebaseValues<Values extends Record<string, unknown>>(
  before: Values,
  wanted: Values,
  now: Values,
): Values {
  const kept = Object.entries(now).filter(([name]) => name in wanted || !(name in before));
  const changed = Object.entries(wanted).filter(([name, value]) => before[name] !== value);
  return Object.fromEntries([...kept, ...changed]) as Values;
}
