/**
 * Does a step of long work, then rests as long as it took, so that the work never takes more than
 * half a core or keeps others from the database.
 */
export async function atHalfPace<Result>(step: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await step();
  const tookMs = performance.now() - startedAt;
  await new Promise((resolve) => setTimeout(resolve, tookMs));
  return result;
}
