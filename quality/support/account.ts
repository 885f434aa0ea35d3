import type { Account, User } from '#features/auth/auth.contract.ts'
import type {
  PlanStatusView,
  PortingProgress,
  PortingRequestView,
  Service,
} from '#features/services/services.contract.ts'

export const aUser = (change: Partial<User> = {}): User => ({
  email: 'ana@example.nz',
  email_verified: true,
  first_name: 'Ana',
  last_name: 'Rewi',
  phone: '+64215550142',
  phone_display: '021 555 0142',
  last_updated: '2026-11-20T00:00:00Z',
  credit_card_token: null,
  email_verification: null,
  ...change,
})

export const signedInAccount = (change: Partial<User> = {}): Account => ({ authenticated: true, user: aUser(change) })

export const anonymousAccount: Account = { authenticated: false, user: null }

export const pendingPhone = { phone: '+64275550199', phone_display: '027 555 0199' }

export const buildPlanStatus = (change: Partial<PlanStatusView> = {}): PlanStatusView => ({
  state: 'ends',
  tone: 'calm',
  title: 'Plan expires on 14 Feb 2027',
  text: 'Your last day is **13 Feb 2027**. Nothing is charged unless you renew.',
  line: 'Expires on 14 Feb 2027',
  badge: null,
  card_button: null,
  can_cancel_next_plan: false,
  change_next_plan: null,
  last_day: '2027-02-13',
  card_charge: null,
  auto_renewal_note: null,
  days_left: 85,
  ...change,
})

/** Returns the progress of a number transfer submitted on Monday 23 Nov 2026 at 10:04 am Auckland time. */
export const portingProgress = (change: Partial<PortingProgress> = {}): PortingProgress => ({
  step: 'sent',
  since: '2026-11-22T21:04:00.000Z',
  found_at: null,
  confirmed_at: null,
  reply_by: null,
  looked_at_from: null,
  is_cancelling: false,
  ...change,
})

export const portingRequestView = (change: Partial<PortingRequestView> = {}): PortingRequestView => ({
  status: 1,
  failure_acknowledged_at: null,
  msisdn: '+64275550111',
  reason: null,
  reason_text: '',
  donor: 'Spark',
  billing_method: 1,
  requested_at: '2026-11-22T21:04:00.000Z',
  progress: (change.status ?? 1) < 3 ? portingProgress() : null,
  ...change,
})

export const buildServicesByUuid = (numbers: Record<string, string>): Record<string, Service> =>
  Object.fromEntries(
    Object.entries(numbers).map(([msisdn, phone_number]) => [
      `uuid-${msisdn}`,
      {
        uuid: `uuid-${msisdn}`,
        msisdn,
        phone_number,
        name: null,
        plan_short_id: 'S1',
        is_expired: false,
        expiry_date: '2027-02-14T11:00:00Z',
        number_kept: { days: 50, last_day: '2027-04-05' },
        porting_request: null,
        schedules: {},
        outlook: buildPlanStatus(),
      },
    ]),
  )

export const twoServices = buildServicesByUuid({ '+64215550142': '021 555 0142', '+64275550199': '027 555 0199' })
