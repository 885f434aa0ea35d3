export const small: readonly string[] = [
  // Fantail keeps only a fixed number of these errors.
  'browser_errors',
  'catalogue_drafts',
  'catalogue_versions',
  'clock',
  // Only about one payment in several thousand is disputed.
  'disputes',
  'migrations',
  // This table has one row per night.
  'nightly_reconciliations',
  'operator_mails',
  'operator_tokens',
  // This table has one row per external service.
  'outages',
  'passkeys',
  // Rows in this table are deleted after a day at most.
  'password_reset_requests',
  'password_salts',
  'plan_filters',
  'porting_providers',
  'present_figures',
  'products',
  'refund_limits',
  // This table has one row per loaded file.
  'sim_loads',
  'staff',
  'staff_invitations',
  'staff_sessions',
]

export const allowedFullReads: readonly { of: string; has: string; why: string }[] = [
  {
    of: 'access_log',
    has: 'from access_log where true) as part',
    why: 'the newest of the trail under a limit: its index has them in order but for those of one instant, which are sorted',
  },
  {
    of: 'sessions',
    has: 'delete from "sessions" where ("expires_at" <',
    why: 'once an hour; an index on when a session was last seen would be written at each call',
  },
  {
    of: 'orders',
    has: 'update "orders" set "lease_token" = $1, "lease_until" = $2 where "lease_until" is not null',
    why: 'once, at the start of a process that is alone with its database',
  },
  {
    of: 'orders',
    has: 'inner join "orders" on "orders"."id" = "charges"."charge_order_id"',
    why: 'charges that are under way are few, and read first: of empty tables the server thinks otherwise',
  },
]
