import { useLayoutEffect } from 'react';
import { directionOf, setRegion } from '../../../texts/region.ts';

type TenantRegion = { locale: string; time_zone: string | null };

/** Writes everything below in the way of the tenant's region, and sets the language of the document. */
export function useRegion(tenant: TenantRegion | undefined): void {
  const locale = tenant?.locale;
  // Before the pages are drawn, which is where it is read.
  if (tenant) setRegion({ locale, timeZone: tenant.time_zone ?? undefined });
  useLayoutEffect(() => {
    if (!locale) return;
    document.documentElement.lang = locale;
    document.documentElement.dir = directionOf(locale);
  }, [locale]);
}
