/** The first digits of steps that people read easily. */
const steps = [1, 2, 2.5, 3, 5, 10];
const maxIntervals = 5;

/**
 * Chooses the values beside an axis, from 0 to the first one that covers the greatest value. Of all steps with two to
 * five intervals, it takes the one that leaves the least space empty, and of equal ones the one with fewer intervals.
 * All values are integers.
 */
export function niceTicks(greatest: number): number[] {
  const power = 10 ** (Math.floor(Math.log10(Math.max(greatest, 1))) - 1);
  const choices = [power, power * 10]
    .flatMap((each) => steps.map((step) => step * each))
    .filter((step) => Number.isInteger(step) && step > 0)
    .map((step) => ({ step, count: Math.max(2, Math.ceil(greatest / step)) }))
    .filter(({ count }) => count <= maxIntervals);
  const { step, count } = choices.reduce((best, each) =>
    each.step * each.count < best.step * best.count ||
    (each.step * each.count === best.step * best.count && each.count < best.count)
      ? each
      : best,
  );
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
