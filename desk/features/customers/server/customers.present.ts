import { formatCardName } from '#kit/contract/card-types.ts'
import { centsToDecimal } from '#kit/contract/money.ts'
import { formatForRegion, formatNational } from '#kit/contract/phone.ts'
import { maskAllButLastFour, maskEmail, maskName } from '#kit/server/masks.ts'
import { loginsPerEmailLabel } from '#features/auth/server/auth.ts'
import { maxLoginsPerIpAndEmail } from '#features/auth/server/login-limits.ts'
import type { User } from '#features/auth/server/users.store.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { HistoryEvent } from '#features/customers/server/history.store.ts'
import type { CustomerDetails } from '#features/customers/server/customers.present.ts'
import type { PortingStatus } from '#features/porting/porting.states.ts'
import type { LatestPort } from '#features/porting/server/porting.store.ts'
import type { Customer, CustomerNumber, AccessLogEntry } from '../customers.contract.ts'
import type { HistoryPage, HistoryEntry } from '../customer-history.contract.ts'
import type { readCustomerPage } from './customers.ts'
import { describeEntry } from './customer-history.labels.ts'
import { accessReasonLabel } from './access-reason.labels.ts'
import { hasRenewalFailed } from './renewal.labels.ts'

const toIsoString = (at: Date | null): string | null => at?.toISOString() ?? null

type UserName = Pick<User, 'first_name' | 'last_name' | 'erased_at'>

/** Returns the masked name, which is the only customer data that is sent before a staff member has opened the customer's record. */
export const presentMaskedName = ({ first_name: first, last_name: last, erased_at }: UserName): string =>
  erased_at ? erasedName : maskName({ first, last })

export const presentName = ({ first_name: first, last_name: last, erased_at }: User): string =>
  erased_at ? erasedName : `${first} ${last}`.trim()

const erasedName = 'Erased customer'

export const presentCurrentAccess = ({ reason, until }: { reason: string; until: Date }) => ({
  why: accessReasonLabel(reason, null),
  until: until.toISOString(),
})

type CustomerPageData = Awaited<ReturnType<typeof readCustomerPage>>

/**
 * Returns all customer data that is sent once a staff member has opened the customer's record. The email address, SIM
 * and card are masked.
 */
export function presentCustomer(
  { known, money, tasks, notes, looks, happened, acts, ports, callerUntil }: CustomerPageData,
  { market, clock, isComposedAgain }: Pick<CustomersDeps, 'market' | 'clock' | 'isComposedAgain'>,
): Customer {
  const { user, phone, card, sessions, numbers, limits, asked } = known
  return {
    email: user.erased_at ? '' : maskEmail(user.email),
    email_verified: user.email_verified_at !== null,
    since: user.created_at.toISOString(),
    blocked: toIsoString(user.blocked_at),
    erased: toIsoString(user.erased_at),
    to_be_erased: toIsoString(asked?.due_at ?? null),
    contact_phone: phone && formatForRegion(phone, market.phoneRegion),
    saved_card: card && {
      name: `${formatCardName(card.card_type, null)} ${maskAllButLastFour(card.last_four)}`,
      expiry: card.expiry,
    },
    sessions: sessions.count,
    signed_in: toIsoString(sessions.last),
    limits: limits.map(({ of, used, most, until }) => ({ of, used, most, until: toIsoString(until) })),
    ip_may_be_locked: limits.some(({ of, used }) => of === loginsPerEmailLabel && used >= maxLoginsPerIpAndEmail),
    marketing: user.marketing_consent,
    money: { paid: centsToDecimal(money.paid), given: centsToDecimal(money.given) },
    numbers: numbers.map((number) => presentNumber(number, clock.now(), ports)),
    tasks: tasks.map(({ id, reason, order_code, due_at }) => ({ id, reason, order_code, due: toIsoString(due_at) })),
    notes: notes?.map(({ id, body, by, at }) => ({ id, body, by, at: at.toISOString() })) ?? null,
    looked: looks.map(presentAccess),
    happened: presentHistoryPage(happened, user, isComposedAgain),
    acts: [...acts],
    caller_until: callerUntil?.toString() ?? null,
  }
}

const portLabels: Record<PortingStatus, string> = {
  NEW: 'requested',
  SUBMITTED: 'in progress',
  CANCELLING: 'being cancelled',
  COMPLETED: 'transferred',
  FAILED: 'declined',
  CANCELLED: 'cancelled',
}

type PortSummary = Pick<LatestPort, 'external_id' | 'msisdn' | 'donor_name' | 'status'>

export const presentPortLink = ({ external_id, msisdn, donor_name, status }: PortSummary) => ({
  reference: external_id,
  words: `${formatNational(msisdn)} from ${donor_name}, ${portLabels[status]}`,
})

function presentNumber(
  number: CustomerDetails['numbers'][number],
  now: Temporal.Instant,
  ports: readonly LatestPort[] | null,
): CustomerNumber {
  const port = ports?.find(({ service_id: service }) => service === number.id)
  const { released_at: released, expires_at: ends } = number
  const hasPlan = ends !== null && ends.getTime() > now.epochMilliseconds
  return {
    id: number.id,
    number: formatNational(number.msisdn),
    name: number.name,
    state: released ? 'released' : hasPlan ? 'active' : 'ended',
    plan: number.plan,
    ends: toIsoString(ends),
    since: number.created_at.toISOString(),
    released: toIsoString(released),
    sim: maskAllButLastFour(number.iccid),
    auto_renewal: number.auto_renewal ?? false,
    renewal_failed: hasRenewalFailed(number.renewal_failure),
    next_plan: number.next_plan,
    next_starts: toIsoString(number.next_starts_at),
    port: port?.msisdn ? presentPortLink(port) : null,
  }
}

const unmaskedLabels: Readonly<Record<string, string>> = {
  email_shown: 'E-mail address shown',
  sim_shown: 'SIM number shown',
}

type AccessRow = { at: Date; act: string; reason: string | null; detail: string | null; name: string }

export const presentAccess = ({ at, act, reason, detail, name }: AccessRow): AccessLogEntry => ({
  name,
  what: unmaskedLabels[act] ?? 'Opened',
  why: accessReasonLabel(reason, detail),
  at: at.toISOString(),
})

/** Messages to a customer who has been erased cannot be sent again. */
export const presentHistoryPage = (
  { rows, next, copyable }: { rows: HistoryEvent[]; next: string | null; copyable: ReadonlySet<string> },
  { erased_at: erased }: User,
  isComposedAgain: (kind: string) => boolean,
): HistoryPage => ({
  rows: rows.map((row) => {
    const isCopyable = row.of === 'message' && copyable.has(row.ref ?? '')
    const isComposable = row.of === 'message' && row.kind !== null && isComposedAgain(row.kind)
    return presentHistoryEntry(row, { isCopyable, canResend: erased === null && (isCopyable || isComposable) })
  }),
  next,
})

function presentHistoryEntry(
  happened: HistoryEvent,
  { isCopyable, canResend }: { isCopyable: boolean; canResend: boolean },
): HistoryEntry {
  const { icon, tone, title, detail, why } = describeEntry(happened)
  const { at, of, actor, ref, order_code } = happened
  return {
    at: at.toISOString(),
    icon,
    tone,
    title,
    detail,
    by: presentActor(actor),
    why,
    order_code,
    port: of === 'transfer' ? ref : null,
    message: canResend ? ref : null,
    is_sent_as_copy: isCopyable,
  }
}

/** Returns a stored actor's display name: `staff:Hine Walker` becomes Hine Walker. `null` if the customer or the system acted. */
export function presentActor(actor: string | null): string | null {
  if (actor === null || actor === 'system') return null
  return actor.startsWith('operator:')
    ? `${actor.slice('operator:'.length)} (command line)`
    : actor.replace(/^staff:/, '')
}
