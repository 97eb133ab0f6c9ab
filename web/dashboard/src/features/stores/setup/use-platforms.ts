import { useQuery } from '@tanstack/react-query';
import type { PlatformData } from '../../../api/records.ts';
import { useTenant } from '../../../session.ts';

/** Loads the platforms that a store can be on. They change only with a new version of the service. */
export function usePlatforms() {
  const { api } = useTenant();
  return useQuery({
    ...api.asked('/stores/platforms'),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** @returns undefined until the platforms are loaded */
export function usePlatform(name: PlatformData['name'] | undefined): PlatformData | undefined {
  return usePlatforms().data?.find((platform) => platform.name === name);
}
