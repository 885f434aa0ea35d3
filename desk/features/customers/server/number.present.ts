import { formatCardName } from '#kit/contract/card-types.ts'
import { centsToDecimal } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { type Clock, fromDate } from '#kit/server/clock.ts'
import { maskAllButLastFour } from '#kit/server/masks.ts'
import { computeReleaseTime } from '#kit/server/plan-period.ts'
import type { PlanStatus } from '#features/auto-renewal/server/plan-status.ts'
import { stateLabels, maskNumbers, orderTypeLabel } from '#desk/features/orders/server/order.labels.ts'
import type { NumberOrder, NumberRenewal, NumberView } from '../number.contract.ts'
import { presentPortLink } from './customers.present.ts'
import type { NumberDeps, readNumberPage } from './number.ts'
import type { CustomerNumberRow, NumberOrderRow, NumberPortRow } from './number.view.ts'
import { failureLabel } from './renewal.labels.ts'

type NumberData = Awaited<ReturnType<typeof readNumberPage>>
type Rules = Pick<NumberDeps, 'market' | 'numberKeptDays'> & { clock: Clock }

export function presentNumberPage({ number, ahead, tries, ports, orders }: NumberData, rules: Rules): NumberView {
  const { released_at: released, expires_at: ends } = number
  const isActive = ends !== null && ends.getTime() > rules.clock.now().epochMilliseconds
  return {
    id: number.id,
    number: formatNational(number.msisdn),
    name: number.name,
    state: released ? 'released' : isActive ? 'active' : 'ended',
    since: number.created_at.toISOString(),
    released: released?.toISOString() ?? null,
    plan: presentPlan(number, rules.market.zone),
    goes_back: ahead && !ahead.queued && ends ? releaseTime(ends, rules) : null,
    next_plan: ahead && presentNextPlan(ahead),
    renewal: ahead && presentRenewal(ahead, tries),
    sim: { masked: maskAllButLastFour(number.iccid), since: (number.activated_at ?? number.created_at).toISOString() },
    ports: ports?.filter(({ msisdn }) => msisdn).map(presentPort) ?? null,
    orders: orders.map(presentOrder),
  }
}

function presentPlan(
  { title, starts_on: starts, expires_at: ends }: CustomerNumberRow,
  zone: string,
): NumberView['plan'] {
  if (title === null || starts === null || ends === null) return null
  const last = fromDate(ends).toZonedDateTimeISO(zone).toPlainDate()
  const planDays = Temporal.PlainDate.from(starts).until(last, { largestUnit: 'days' }).days
  return { title, length: planDays, starts, ends: ends.toISOString() }
}

const releaseTime = (ends: Date, { market, numberKeptDays }: Rules): string =>
  computeReleaseTime(fromDate(ends), market.zone, numberKeptDays).toString()

const presentNextPlan = ({ queued }: PlanStatus): NumberView['next_plan'] =>
  queued && {
    title: queued.product.title,
    length: queued.lengthDays,
    starts: queued.startsOn.toString(),
    paid: queued.paidOn.toString(),
    paid_with: queued.byVoucher ? 'voucher' : 'card',
    amount: centsToDecimal(queued.paidCents),
    order_code: queued.orderCode,
  }

function presentRenewal(ahead: PlanStatus, tries: NumberOrderRow[]): NumberRenewal {
  const { isRenewing, state, offer, charge, card } = ahead
  const isCharging = state === 'charging'
  const canCharge = isRenewing && !isCharging && state !== 'expired'
  return {
    is_on: isRenewing,
    is_charging: isCharging,
    trouble: renewalProblem(ahead),
    tries: tries.map(presentOrder),
    next:
      canCharge && offer
        ? {
            at: charge.at.toString(),
            amount: centsToDecimal(offer.amountCents),
            plan: offer.product.title,
            card: card && `${formatCardName(card.card_type, null)} ${maskAllButLastFour(card.last_four)}`,
            again: charge.retries.map(String),
          }
        : null,
  }
}

/** Returns the label for the renewal problem. A renewal that has failed takes precedence over a problem that the next charge will have. */
function renewalProblem({ failure, trouble, isRenewing, offer }: PlanStatus): string | null {
  if (failure) return failureLabel(failure.reason, failure.card)
  if (!isRenewing) return null
  if (!offer) return failureLabel('withdrawn', null)
  if (trouble === 'no-card') return 'There is no card to charge'
  return trouble ? 'The saved card will have expired by the next charge' : null
}

const presentPort = (port: NumberPortRow) => ({
  ...presentPortLink(port),
  at: port.created_at.toISOString(),
  has_moved: port.status === 'COMPLETED',
})

function presentOrder(order: NumberOrderRow): NumberOrder {
  const { said, tone } = stateLabels[order.state]
  const refusalReason = order.state === 'refused' && maskNumbers((order.refusal ?? '').replace(/^Refused: /, ''))
  return {
    code: order.order_code,
    what: orderTypeLabel(order),
    said: refusalReason ? `${said}: ${refusalReason}` : said,
    tone,
    title: order.product.title,
    at: order.created_at.toISOString(),
    amount: centsToDecimal(order.amount_cents),
  }
}
