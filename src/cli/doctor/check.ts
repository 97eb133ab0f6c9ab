/** The result of one check of `parley doctor`. */
export type Check = {
  name: string;
  ok: boolean;
  found: string;
  fix?: string;
  /** A problem that the tenants must fix; the installation itself is sound. */
  ofTenants?: true;
  /** Such as a service that is stopped for a restore. */
  mayBeIntended?: true;
};
