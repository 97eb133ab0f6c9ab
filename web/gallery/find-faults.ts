import axe from 'axe-core';

/** Lists everything that axe finds on the page, and by how much it sticks out of the window. */
export async function findFaults(): Promise<string[]> {
  while (endAnimations() > 0) await new Promise(requestAnimationFrame);
  const { violations } = await axe.run({ resultTypes: ['violations'] });
  const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`sticks out by ${scrollWidth - clientWidth}`);
  return faults;
}

/**
 * Ends animations, during which elements have less contrast. Those of skeletons never end.
 *
 * @returns how many there were
 */
function endAnimations(): number {
  const running = document
    .getAnimations()
    .filter(
      ({ playState, effect }) =>
        playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
    );
  for (const each of running) each.finish();
  return running.length;
}
