import { centsToDecimal } from '#kit/contract/money.ts'
import type { User } from '#features/auth/server/users.store.ts'
import type { SavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import type { listNumbers } from './customer.store.ts'
import type { Erasure, findErasureRequest } from './erasures.store.ts'
import { presentNumber } from './export.present.ts'
import type { SearchResult } from './find-customers.ts'
import type { HistoryEvent } from './history.store.ts'

export type CustomerDetails = {
  user: User
  phone: string | null
  card: SavedCard | null
  sessions: { count: number; last: Date | null }
  numbers: Awaited<ReturnType<typeof listNumbers>>
  erasure: Erasure | null
  asked: Awaited<ReturnType<typeof findErasureRequest>> | null
  limits: { of: string; used: number; most: number; until: Date | null }[]
}

const toIsoString = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentSearchResult = ({ of, customers, activations, more }: SearchResult) => ({
  of,
  more,
  too_long: customers === null || activations === null,
  customers: (customers ?? []).map(({ user_id, hit, email, first_name, last_name }) => ({
    id: user_id,
    hit,
    email,
    first_name,
    last_name,
  })),
  activations: (activations ?? []).map((activation) => ({
    order_code: activation.order_code,
    customer: activation.user_id,
    msisdn: activation.hit,
    iccid: activation.iccid,
    email: activation.email,
    first_name: activation.first_name,
    last_name: activation.last_name,
    state: activation.state,
    at: activation.at.toISOString(),
  })),
})

export const presentCustomer = ({ user, phone, card, sessions, numbers, limits, erasure, asked }: CustomerDetails) => ({
  id: user.id,
  email: user.email,
  email_verified: user.email_verified_at !== null,
  first_name: user.first_name,
  last_name: user.last_name,
  contact_phone: phone,
  marketing_consent: user.marketing_consent,
  since: user.created_at.toISOString(),
  blocked: toIsoString(user.blocked_at),
  erased: toIsoString(user.erased_at),
  erasure_completed: toIsoString(erasure?.ended_at ?? null),
  to_be_erased: asked && {
    asked: toIsoString(asked.asked_at),
    due: toIsoString(asked.due_at),
    put_off: toIsoString(asked.put_off_at),
  },
  sessions: sessions.count,
  saved_card: card && { card_type: card.card_type, last_four: card.last_four, expiry: card.expiry },
  limits: limits.map(({ of, used, most, until }) => ({ of, used, most, until: toIsoString(until) })),
  numbers: numbers.map(presentNumber),
})

export const presentHistoryEvent = ({ at, of, what, detail, cents, ref, actor }: HistoryEvent) => ({
  at: at.toISOString(),
  of,
  what,
  detail,
  amount: cents === null ? null : centsToDecimal(cents),
  ref,
  actor,
})
