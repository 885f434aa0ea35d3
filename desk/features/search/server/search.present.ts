import type { Market } from '#kit/contract/bootstrap.ts'
import { formatCardName } from '#kit/contract/card-types.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { maskAllButLastFour, maskEmail, maskName } from '#kit/server/masks.ts'
import { orderLabel } from '#desk/features/customers/server/order.labels.ts'
import { portLabels } from '#desk/features/orders/server/order.labels.ts'
import {
  type ResultGroup,
  type ResultType,
  maxResultsPerGroup,
  type ResultRow,
  type SearchResults,
} from '../search.contract.ts'
import { activationStepLabels, isFailedActivation } from './activation.labels.ts'
import { findMatchedRange } from './matched-range.ts'
import type { Hit, SearchOutcome } from './search.ts'
import type { FoundVoucher } from './find-voucher.ts'

const groupTitles: Record<ResultType, string> = {
  number: 'Numbers',
  port: 'Ports',
  sim: 'SIMs',
  card: 'Cards',
  customer: 'Customers',
  activation: 'Unfinished and failed activations',
  order: 'Orders',
  voucher: 'Vouchers',
}

export function presentResults({ searches, groups, voucher, tookMs }: SearchOutcome, market: Market): SearchResults {
  const end = searches.find((search) => search.of === 'end')
  const shown: ResultGroup[] = groups.map(({ kind, hits, tooLong }) => ({
    kind,
    title:
      end && hits.some(({ search }) => search.of === 'end')
        ? `${groupTitles[kind]} ending in ${end.digits}`
        : groupTitles[kind],
    rows: hits.slice(0, maxResultsPerGroup).map((hit) => presentHit(hit, market)),
    more: hits.length > maxResultsPerGroup,
    too_long: tooLong,
  }))
  if (voucher)
    shown.push({
      kind: 'voucher',
      title: groupTitles.voucher,
      rows: [presentVoucher(voucher, market)],
      more: false,
      too_long: false,
    })
  const orderMissing =
    searches.some((search) => search.of === 'order' && /\d/.test(search.code)) &&
    !shown.some(({ kind }) => kind === 'order')
  return { groups: shown, order_missing: orderMissing, took_ms: tookMs }
}

function presentVoucher(voucher: FoundVoucher, { zone }: Market): ResultRow {
  const { end, plan, state, orderCode, batchId, redeemedAt, expiresAt } = voucher
  const hit = maskAllButLastFour(end)
  const day = (at: Date): string => formatDate(at.toISOString(), zone)
  return {
    kind: 'voucher',
    hit,
    mark: { start: hit.length - end.length, length: end.length },
    name: '',
    email: '',
    detail: `${plan}, ${redeemedAt ? `used on ${day(redeemedAt)}` : `valid until ${day(expiresAt)}`}`,
    state: voucherStates[state],
    href: orderCode ? `/orders/${orderCode}/` : batchId ? `/stock/batches/${batchId}/` : '/stock/',
  }
}

const voucherStates: Record<FoundVoucher['state'], string> = {
  unused: 'Unused voucher',
  held: 'Held by an order',
  redeemed: 'Used voucher',
  expired: 'Expired voucher',
  void: 'Void voucher',
}

/**
 * Returns a search result as it is sent. Names and email addresses are masked, and only the last four digits of a SIM
 * or card are shown.
 */
function presentHit(hit: Hit, market: Market): ResultRow {
  const { first_name: first, last_name: last, email } = hit
  const person = { name: maskName({ first, last }), email: maskEmail(email) }
  const shown = { ...buildHitFacts(hit, person.name, market), ...person }
  return { ...shown, mark: findMatchedRange(shown.hit, hit) }
}

type Facts = Pick<ResultRow, 'kind' | 'hit' | 'detail' | 'state' | 'href'>

function buildHitFacts(found: Hit, name: string, { zone }: Market): Facts {
  if (found.kind === 'port')
    return {
      kind: 'port',
      hit: formatNational(found.hit),
      detail: `From ${found.donor_name}`,
      state: portLabels[found.status].said,
      href: `/ports/${found.thing}/`,
    }
  const day = (at: Date): string => formatDate(at.toISOString(), zone)
  if (found.kind === 'activation') return activationFacts(found, day(found.at))
  const { kind, hit, thing, user_id: userId, service, order, search, email } = found
  const href = `/customers/${userId}/`
  switch (kind) {
    case 'number':
    case 'SIM': {
      const isReleased = service?.released_at !== null
      const plan = service?.plan && service.expires_at ? `${service.plan}, until ${day(service.expires_at)}` : 'No plan'
      const detail =
        isReleased && service?.released_at ? `Returned to the network on ${day(service.released_at)}` : plan
      return kind === 'number'
        ? { kind, hit: formatNational(hit), detail, state: isReleased ? 'Released' : 'Number', href }
        : {
            kind: 'sim',
            hit: maskAllButLastFour(hit),
            detail: service ? `In ${formatNational(service.msisdn)}` : detail,
            state: 'SIM',
            href,
          }
    }
    case 'card':
      return {
        kind,
        hit: `${formatCardName(thing, null)} ${maskAllButLastFour(hit)}`,
        detail: 'Saved card',
        state: 'Customer',
        href,
      }
    case 'customer':
      return search.of === 'email'
        ? { kind, hit: maskEmail(email), detail: '', state: 'Customer', href }
        : { kind, hit: name, detail: '', state: 'Customer', href }
    case 'order': {
      const [title = '', detail = ''] = order
        ? [
            orderLabel(order).title,
            `${order.product.title}, ${formatPriceWithCommas(order.amount_cents)}, ${day(order.created_at)}`,
          ]
        : []
      return { kind, hit, detail: detail && `${title} · ${detail}`, state: 'Order', href: `/orders/${hit}/` }
    }
  }
}

/** An activation without an order has no page of its own: its row leads to the customer, or to all that is known of its number. */
function activationFacts(found: Extract<Hit, { kind: 'activation' }>, day: string): Facts {
  const { hit: msisdn, order, order_code: code, user_id: userId, state } = found
  const hit = formatNational(msisdn)
  const stage = order ? orderLabel(order).title : `Activation: ${activationStepLabels[state] ?? 'not paid yet'}`
  return {
    kind: 'activation',
    hit,
    detail: [stage, code, day].filter(Boolean).join(' · '),
    state: isFailedActivation(order?.state) ? 'Failed' : 'Unfinished',
    href: code ? `/orders/${code}/` : userId ? `/customers/${userId}/` : `/find/?${new URLSearchParams({ q: hit })}`,
  }
}
