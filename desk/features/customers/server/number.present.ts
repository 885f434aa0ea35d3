import { cardName } from '#kit/contract/card-types.ts'
import { toWire } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { type Clock, fromDate } from '#kit/server/clock.ts'
import { lastFour } from '#kit/server/masks.ts'
import { releaseAt } from '#kit/server/plan-period.ts'
import type { Outlook } from '#features/auto-renewal/server/outlook.ts'
import { stateWords, withoutNumbers, wordsOfKind } from '#desk/features/orders/server/order-words.present.ts'
import type { NumberOrder, NumberRenewal, NumberShown } from '../number.contract.ts'
import { presentPortOf } from './customers.present.ts'
import type { NumberDeps, numberSeenBy } from './number.ts'
import type { NumberOfCustomer, OrderOfNumber, PortOfNumber } from './number.view.ts'
import { failureWords } from './renewal-words.ts'

type Seen = Awaited<ReturnType<typeof numberSeenBy>>
type Rules = Pick<NumberDeps, 'market' | 'numberKeptDays'> & { clock: Clock }

export function presentNumberPage({ number, ahead, tries, ports, orders }: Seen, rules: Rules): NumberShown {
  const { released_at: released, expires_at: ends } = number
  const isActive = ends !== null && ends.getTime() > rules.clock.now().epochMilliseconds
  return {
    id: number.id,
    number: formatNational(number.msisdn),
    name: number.name,
    state: released ? 'released' : isActive ? 'active' : 'ended',
    since: number.created_at.toISOString(),
    released: released?.toISOString() ?? null,
    plan: planOf(number, rules.market.zone),
    goes_back: ahead && !ahead.queued && ends ? goesBack(ends, rules) : null,
    next_plan: ahead && nextPlanOf(ahead),
    renewal: ahead && renewalOf(ahead, tries),
    sim: { masked: lastFour(number.iccid), since: (number.activated_at ?? number.created_at).toISOString() },
    ports: ports?.filter(({ msisdn }) => msisdn).map(presentPort) ?? null,
    orders: orders.map(presentOrder),
  }
}

function planOf({ title, starts_on: starts, expires_at: ends }: NumberOfCustomer, zone: string): NumberShown['plan'] {
  if (title === null || starts === null || ends === null) return null
  const last = fromDate(ends).toZonedDateTimeISO(zone).toPlainDate()
  const length = Temporal.PlainDate.from(starts).until(last, { largestUnit: 'days' }).days
  return { title, length, starts, ends: ends.toISOString() }
}

const goesBack = (ends: Date, { market, numberKeptDays }: Rules): string =>
  releaseAt(fromDate(ends), market.zone, numberKeptDays).toString()

const nextPlanOf = ({ queued }: Outlook): NumberShown['next_plan'] =>
  queued && {
    title: queued.product.title,
    length: queued.lengthDays,
    starts: queued.startsOn.toString(),
    paid: queued.paidOn.toString(),
    paid_with: queued.byVoucher ? 'voucher' : 'card',
    amount: toWire(queued.paidCents),
    order_code: queued.orderCode,
  }

function renewalOf(ahead: Outlook, tries: OrderOfNumber[]): NumberRenewal {
  const { isRenewing, state, offer, charge, card } = ahead
  const isCharging = state === 'charging'
  const mayCharge = isRenewing && !isCharging && state !== 'expired'
  return {
    is_on: isRenewing,
    is_charging: isCharging,
    trouble: troubleOf(ahead),
    tries: tries.map(presentOrder),
    next:
      mayCharge && offer
        ? {
            at: charge.at.toString(),
            amount: toWire(offer.amountCents),
            plan: offer.product.title,
            card: card && `${cardName(card.card_type, null)} ${lastFour(card.last_four)}`,
            again: charge.retries.map(String),
          }
        : null,
  }
}

/** A failed renewal takes precedence over a problem that the next charge will have. */
function troubleOf({ failure, trouble, isRenewing, offer }: Outlook): string | null {
  if (failure) return failureWords(failure.reason, failure.card)
  if (!isRenewing) return null
  if (!offer) return failureWords('withdrawn', null)
  if (trouble === 'no-card') return 'There is no card to charge'
  return trouble ? 'The saved card will have expired by then' : null
}

const presentPort = (port: PortOfNumber) => ({
  ...presentPortOf(port),
  at: port.created_at.toISOString(),
  has_moved: port.status === 'COMPLETED',
})

function presentOrder(order: OrderOfNumber): NumberOrder {
  const { said, tone } = stateWords[order.state]
  const refusal = order.state === 'refused' && withoutNumbers((order.refusal ?? '').replace(/^Refused: /, ''))
  return {
    code: order.order_code,
    what: wordsOfKind(order),
    said: refusal ? `${said}: ${refusal}` : said,
    tone,
    title: order.product.title,
    at: order.created_at.toISOString(),
    amount: toWire(order.amount_cents),
  }
}
