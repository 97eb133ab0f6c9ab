import { useQuery } from '@tanstack/react-query';
import type { PlatformData } from '../../../../../src/stores/dashboard-schema.ts';
import { useTenant } from '../../session.ts';

/** Loads the platforms that a store can be on. They change only with a new version of the service. */
export function usePlatforms() {
  const { api, key } = useTenant();
  return useQuery({
    queryKey: key('store-platforms'),
    queryFn: () => api.get<PlatformData[]>('/stores/platforms'),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** @returns undefined until the platforms are loaded */
export function usePlatform(name: PlatformData['name'] | undefined): PlatformData | undefined {
  return usePlatforms().data?.find((platform) => platform.name === name);
}
