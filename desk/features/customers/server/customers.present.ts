import { cardName } from '#kit/contract/card-types.ts'
import { toWire } from '#kit/contract/money.ts'
import { formatDialled, formatNational } from '#kit/contract/phone.ts'
import { lastFour, maskedEmail, maskedName } from '#kit/server/masks.ts'
import type { User } from '#features/auth/server/users.store.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { Happened } from '#features/customers/server/history.store.ts'
import type { Known } from '#features/customers/server/customers.present.ts'
import type { PortingStatus } from '#features/porting/porting.states.ts'
import type { LatestPort } from '#features/porting/server/porting.store.ts'
import type { Customer, CustomerNumber, LookRow } from '../customers.contract.ts'
import type { HappenedPage, HappenedRow } from '../happened.contract.ts'
import type { seenBy } from './customers.ts'
import { sentenceOf } from './happened-words.ts'
import { lookWords } from './look-words.ts'
import { isFailing } from './renewal-words.ts'

const instant = (at: Date | null): string | null => at?.toISOString() ?? null

/** The only data that leaves the server before the reader has opened the customer. */
export const presentClosed = ({ first_name: first, last_name: last, erased_at }: User): string =>
  erased_at ? erasedName : maskedName({ first, last })

export const presentName = ({ first_name: first, last_name: last, erased_at }: User): string =>
  erased_at ? erasedName : `${first} ${last}`.trim()

const erasedName = 'Erased customer'

export const presentOpening = ({ reason, until }: { reason: string; until: Date }) => ({
  why: lookWords(reason, null),
  until: until.toISOString(),
})

type Seen = Awaited<ReturnType<typeof seenBy>>

/** All data of an opened customer that leaves the server. Address, SIM and card are masked. */
export function presentCustomer(
  { known, money, tasks, notes, looks, happened, acts, ports, callerUntil }: Seen,
  { market, clock, isComposedAgain }: Pick<CustomersDeps, 'market' | 'clock' | 'isComposedAgain'>,
): Customer {
  const { user, phone, card, sessions, numbers, limits, asked } = known
  return {
    email: user.erased_at ? '' : maskedEmail(user.email),
    email_verified: user.email_verified_at !== null,
    since: user.created_at.toISOString(),
    blocked: instant(user.blocked_at),
    erased: instant(user.erased_at),
    to_be_erased: instant(asked?.due_at ?? null),
    contact_phone: phone && formatDialled(phone, market.phoneRegion),
    saved_card: card && { name: `${cardName(card.card_type, null)} ${lastFour(card.last_four)}`, expiry: card.expiry },
    sessions: sessions.count,
    signed_in: instant(sessions.last),
    limits: limits.map(({ of, used, most, until }) => ({ of, used, most, until: instant(until) })),
    marketing: user.marketing_consent,
    money: { paid: toWire(money.paid), given: toWire(money.given) },
    numbers: numbers.map((number) => presentNumber(number, clock.now(), ports)),
    tasks: tasks.map(({ id, reason, order_code, due_at }) => ({ id, reason, order_code, due: instant(due_at) })),
    notes: notes?.map(({ id, body, by, at }) => ({ id, body, by, at: at.toISOString() })) ?? null,
    looked: looks.map(presentLook),
    happened: presentPage(happened, user, isComposedAgain),
    acts: [...acts],
    caller_until: callerUntil?.toString() ?? null,
  }
}

const portWords: Record<PortingStatus, string> = {
  NEW: 'requested',
  SUBMITTED: 'in progress',
  CANCELLING: 'being cancelled',
  COMPLETED: 'transferred',
  FAILED: 'declined',
  CANCELLED: 'cancelled',
}

type PortOf = Pick<LatestPort, 'external_id' | 'msisdn' | 'donor_name' | 'status'>

export const presentPortOf = ({ external_id, msisdn, donor_name, status }: PortOf) => ({
  reference: external_id,
  words: `${formatNational(msisdn)} from ${donor_name}, ${portWords[status]}`,
})

function presentNumber(
  number: Known['numbers'][number],
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
    ends: instant(ends),
    since: number.created_at.toISOString(),
    released: instant(released),
    sim: lastFour(number.iccid),
    auto_renewal: number.auto_renewal ?? false,
    renewal_failed: isFailing(number.renewal_failure),
    next_plan: number.next_plan,
    next_starts: instant(number.next_starts_at),
    port: port?.msisdn ? presentPortOf(port) : null,
  }
}

const shownWords: Readonly<Record<string, string>> = { email_shown: 'E-mail shown', sim_shown: 'SIM shown' }

type Look = { at: Date; act: string; reason: string | null; detail: string | null; name: string }

export const presentLook = ({ at, act, reason, detail, name }: Look): LookRow => ({
  name,
  what: shownWords[act] ?? 'Opened',
  why: lookWords(reason, detail),
  at: at.toISOString(),
})

/** Messages of an erased customer cannot be sent again. */
export const presentPage = (
  { rows, next }: { rows: Happened[]; next: string | null },
  { erased_at: erased }: User,
  isComposedAgain: (kind: string) => boolean,
): HappenedPage => ({
  rows: rows.map((row) => presentHappened(row, (kind) => erased === null && isComposedAgain(kind))),
  next,
})

function presentHappened(happened: Happened, isComposedAgain: (kind: string) => boolean): HappenedRow {
  const { icon, tone, title, detail, why } = sentenceOf(happened)
  const { at, of, actor, ref, kind, order_code } = happened
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
    message: of === 'message' && kind !== null && isComposedAgain(kind) ? ref : null,
  }
}

/**
 * The display name of a stored actor: `staff:Hine Walker` is shown as Hine Walker. `null` for the product and the
 * network.
 */
export function presentActor(actor: string | null): string | null {
  if (actor === null || actor === 'system') return null
  return actor.startsWith('operator:')
    ? `${actor.slice('operator:'.length)}(command line)`
    : actor.replace(/^staff:/, '')
}
