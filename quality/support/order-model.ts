import { addOns, type Command, type PlanId, plans, type PurchaseCommand } from './order-commands.ts'

type Told = 'through' | 'nothing' | 'unknown'

export type ModelPurchase = {
  code: string
  kind: 'activation' | 'recharge' | 'addon'
  /** The amount that the purchase takes from a card, in cents. */
  price: number
  told: Told
  /** The outcome that the purchase must have; null if it depends on which request is hit by a failure. */
  must: Exclude<Told, 'unknown'> | null
  pends: boolean
  plan: PlanId | null
  voucher: string | null
  isRefunded: boolean
  starts: 'now' | 'at_end'
  isCancelled: boolean
  insteadOf: string | null
}

/** A service's current plan. It ends at the beginning of the day `ends`. */
type Life = { product: PlanId; ends: Temporal.PlainDate; auto: boolean; queued: PlanId | null }

export type Model = {
  purchases: ModelPurchase[]
  /**
   * The current plan; null while it depends on work in progress or on which request was hit by a failure. It is read again when no work is
   * in progress.
   */
  life: Life | null
  /** The next plan, if the customer bought it; null if there is none or if auto-renewal bought it. */
  waiting: ModelPurchase | null
  cancelled: Temporal.PlainDate[]
  /** The latest number transfer. `tries` is how many times a transfer has been requested. */
  transfer: { is: 'none' | 'open' | 'over' | 'through'; number: string | null; tries: number }
  /** The amounts charged by auto-renewal, in cents; null if a failure may have affected them. */
  charged: number[] | null
  failures: {
    hasFailures: boolean
    refuses: boolean
    drops: boolean
    /**
     * Whether days may have passed before the gateway received a card. If so, the gateway rejects the encrypted card as too old, as it
     * would with a wrong clock.
     */
    isLate: boolean
  }
}

export const noFailures: Model['failures'] = { hasFailures: false, refuses: false, drops: false, isLate: false }

/** Returns whether a command makes the gateway or the network report a definite failure, as opposed to leaving a request unanswered. */
export const isRefusal = (command: Command): boolean =>
  (command.do === 'failGateway' || command.do === 'failNetwork') &&
  ['refuse', 'fail_retryable', 'fail_permanent'].includes(command.failure.kind)

export const getPurchasePrice = (press: PurchaseCommand): number =>
  press.source.by === 'voucher' ? 0 : press.do === 'addOn' ? addOns[press.product] : plans[press.plan].price

/**
 * The cardholder name, which determines how the gateway responds. Empty if there is no card; null if the saved card may be changing at the
 * moment.
 */
export type CardHolder = string | null

export const pends = (holder: CardHolder): boolean => holder === 'PENDING' || holder === null

export function endOf(holder: CardHolder, { refuses, drops }: Model['failures']): ModelPurchase['must'] {
  if (holder?.endsWith('DECLINED')) return 'nothing'
  return refuses || (drops && pends(holder)) ? null : 'through'
}

const isPending = ({ told }: ModelPurchase): boolean => told === 'unknown'
export const listPendingPurchases = ({ purchases }: Model): ModelPurchase[] => purchases.filter(isPending)

/** Returns whether a cancelled plan may still be on the network, because a failure may delay the network's confirmation. */
const isCancelling = ({ purchases, failures }: Model): boolean =>
  failures.hasFailures && purchases.some(({ isCancelled }) => isCancelled)

/** Returns all reasons why a purchase may be rejected before anything is stored. If there are none, the purchase must not be rejected. */
export function listPossibleRefusals(
  model: Model,
  press: PurchaseCommand,
  today: Temporal.PlainDate,
  insteadOf: string | null,
): string[] {
  const { life } = model
  const hasEnded = !life || (!life.queued && Temporal.PlainDate.compare(today, life.ends) >= 0)
  const isNumberLost = !life || Temporal.PlainDate.compare(today, life.ends.add({ days: 50 })) >= 0
  const isOpen = listPendingPurchases(model).some(({ kind }) => kind === (press.do === 'renew' ? 'recharge' : 'addon'))
  return [
    ...(isNumberLost ? ['404'] : []),
    ...(press.do === 'addOn' && hasEnded
      ? ['This Prepay Plan has expired. Please renew it before you buy an Add-On.']
      : []),
    ...(press.do === 'addOn' && isOpen ? ['You’re already buying this Add-On.'] : []),
    ...(press.do === 'renew' && (isOpen || !life || isCancelling(model))
      ? ['A renewal of this Prepay Plan is already under way.']
      : []),
    ...(press.do === 'renew' && (!life || (life.queued && !insteadOf)) ? ['Your next Prepay Plan'] : []),
    ...(insteadOf && (isOpen || !isQueuedPlanReplaceable(model, insteadOf, today)) ? replacementRefusals : []),
  ]
}

const replacementRefusals = [
  'Your next Prepay Plan',
  'Three next plans',
  'A refund for your next',
  'There is no next Prepay Plan',
  'This page is out of date',
]

const isQueuedPlanReplaceable = (model: Model, code: string, today: Temporal.PlainDate): boolean =>
  model.waiting?.code === code && isCancellable(model, today) === true

export function applyRenewal(
  model: Model,
  purchase: ModelPurchase & { plan: PlanId },
  today: Temporal.PlainDate,
): void {
  const { plan } = purchase
  const waits = purchase.starts === 'at_end' && model.life && Temporal.PlainDate.compare(today, model.life.ends) < 0
  model.waiting = waits ? purchase : null
  if (model.life && waits) model.life = { ...model.life, queued: plan }
  else if (model.life)
    model.life = { ...model.life, product: plan, ends: today.add({ days: plans[plan].days }), queued: null }
}

/**
 * Returns whether a waiting plan can be cancelled today. Null means that the model cannot tell, because it does not know the exact hour;
 * the test then relies on the ledgers.
 */
export function isCancellable(
  { life, waiting, cancelled, purchases }: Model,
  today: Temporal.PlainDate,
): boolean | null {
  // A purchase in progress may replace the waiting plan, or may itself be cancelled.
  if (!life || purchases.some(({ insteadOf, told }) => insteadOf && told === 'unknown')) return null
  const ago = cancelled.map((day) => day.until(today, { largestUnit: 'days' }).days)
  const [surely, perhaps] = [ago.filter((days) => days < 29).length, ago.filter((days) => days < 32).length]
  // If no plan is waiting, the outcome of a cancellation is uncertain, because Fantail may accept a repeated one.
  if (!life.queued) return null
  if (!waiting || today.until(life.ends, { largestUnit: 'days' }).days < 2 || surely >= 3) return false
  return perhaps >= 3 ? null : true
}

/**
 * Moves the model forward by the given number of days without any failures. Auto-renewal charges the card on the day before a plan ends,
 * and the next plan begins when the current one ends.
 */
export function advanceDays(model: Model, from: Temporal.PlainDate, days: number): void {
  const { life, charged } = model
  if (!life || !charged) return
  for (let passed = 0; passed <= days; passed++) {
    const day = from.add({ days: passed })
    const left = day.until(life.ends).days
    if (left === 0 && life.queued) {
      model.waiting = null
      Object.assign(life, {
        product: life.queued,
        queued: null,
        ends: life.ends.add({ days: plans[life.queued].days }),
      })
    }
    if (day.until(life.ends).days !== 1 || !life.auto || life.queued) continue
    life.queued = life.product
    charged.push(plans[life.product].rebill)
  }
}
