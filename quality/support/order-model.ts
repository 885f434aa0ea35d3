import { addOns, type Command, type PlanId, plans, type Press } from './order-commands.ts'

type Told = 'through' | 'nothing' | 'unknown'

export type ModelPurchase = {
  code: string
  kind: 'activation' | 'recharge' | 'addon'
  /** The amount that it takes from a card, in cents. */
  price: number
  told: Told
  /** The outcome that it must have, unless that depends on which call a failure hits. */
  must: Exclude<Told, 'unknown'> | null
  pends: boolean
  plan: PlanId | null
  voucher: string | null
  isRefunded: boolean
  starts: 'now' | 'at_end'
  isCancelled: boolean
  insteadOf: string | null
}

/** The life of a service's plan. It ends at the beginning of the day `ends`. */
type Life = { product: PlanId; ends: Temporal.PlainDate; auto: boolean; queued: PlanId | null }

export type Model = {
  purchases: ModelPurchase[]
  /** Null while it depends on something under way, or on which call a failure hits. It is read again when everything is quiet. */
  life: Life | null
  /** The waiting plan that was bought by hand. Null means there is none, or auto-renewal charged it. */
  waiting: ModelPurchase | null
  cancelled: Temporal.PlainDate[]
  /** The number that was asked for last. `tries` counts its transfers. */
  transfer: { is: 'none' | 'open' | 'over' | 'through'; number: string | null; tries: number }
  /** Auto-renewal's charges in cents, or null if a failure may have played a part. */
  charged: number[] | null
  weather: {
    isFoul: boolean
    refuses: boolean
    drops: boolean
    /** Days may have passed before the gateway saw a card. It then refuses the card as too old, as with a wrong clock. */
    isLate: boolean
  }
}

export const noFailures: Model['weather'] = { isFoul: false, refuses: false, drops: false, isLate: false }

/** Whether the failure is a definite refusal, and not only a call that has to be repeated. */
export const isRefusal = (command: Command): boolean =>
  (command.do === 'failGateway' || command.do === 'failNetwork') &&
  ['refuse', 'fail_retryable', 'fail_permanent'].includes(command.failure.kind)

export const priceOfPress = (press: Press): number =>
  press.source.by === 'voucher' ? 0 : press.do === 'addOn' ? addOns[press.product] : plans[press.plan].price

/**
 * The name on the card that pays, which decides the gateway's answer. An empty name means no card. Null means that the saved card may be
 * changing just now.
 */
export type Holder = string | null

export const pends = (holder: Holder): boolean => holder === 'PENDING' || holder === null

export function endOf(holder: Holder, { refuses, drops }: Model['weather']): ModelPurchase['must'] {
  if (holder?.endsWith('DECLINED')) return 'nothing'
  return refuses || (drops && pends(holder)) ? null : 'through'
}

const isPending = ({ told }: ModelPurchase): boolean => told === 'unknown'
export const pendingPurchases = ({ purchases }: Model): ModelPurchase[] => purchases.filter(isPending)

/** The network may not have confirmed the removal yet. */
const isCancelling = ({ purchases, weather }: Model): boolean =>
  weather.isFoul && purchases.some(({ isCancelled }) => isCancelled)

/** The reasons for which a press may be refused before anything is stored. The list is empty when it must not be refused. */
export function possibleRefusals(
  model: Model,
  press: Press,
  today: Temporal.PlainDate,
  insteadOf: string | null,
): string[] {
  const { life } = model
  const isOver = !life || (!life.queued && Temporal.PlainDate.compare(today, life.ends) >= 0)
  const isNumberLost = !life || Temporal.PlainDate.compare(today, life.ends.add({ days: 50 })) >= 0
  const isOpen = pendingPurchases(model).some(({ kind }) => kind === (press.do === 'renew' ? 'recharge' : 'addon'))
  return [
    ...(isNumberLost ? ['404'] : []),
    ...(press.do === 'addOn' && isOver
      ? ['This Prepay Plan has expired. Please renew it before you buy an Add-On.']
      : []),
    ...(press.do === 'addOn' && isOpen ? ['You’re already buying this Add-On.'] : []),
    ...(press.do === 'renew' && (isOpen || !life || isCancelling(model))
      ? ['A renewal of this Prepay Plan is already under way.']
      : []),
    ...(press.do === 'renew' && (!life || (life.queued && !insteadOf)) ? ['Your next Prepay Plan'] : []),
    ...(insteadOf && (isOpen || !mayBeChanged(model, insteadOf, today)) ? unchangeableReasons : []),
  ]
}

const unchangeableReasons = [
  'Your next Prepay Plan',
  'Three next plans',
  'A refund for your next',
  'There is no next Prepay Plan',
  'This page is out of date',
]

const mayBeChanged = (model: Model, code: string, today: Temporal.PlainDate): boolean =>
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

/** Whether a waiting plan can be cancelled today. Null leaves it to the books, because the model does not know the exact hour. */
export function isCancellable(
  { life, waiting, cancelled, purchases }: Model,
  today: Temporal.PlainDate,
): boolean | null {
  // A purchase under way may replace it, and may be cancelled itself.
  if (!life || purchases.some(({ insteadOf, told }) => insteadOf && told === 'unknown')) return null
  const ago = cancelled.map((day) => day.until(today, { largestUnit: 'days' }).days)
  const [surely, perhaps] = [ago.filter((days) => days < 29).length, ago.filter((days) => days < 32).length]
  // A repeated cancellation is no fault.
  if (!life.queued) return null
  if (!waiting || today.until(life.ends, { largestUnit: 'days' }).days < 2 || surely >= 3) return false
  return perhaps >= 3 ? null : true
}

/** Days pass without failures. Auto-renewal charges on the day before the end, and the next plan begins where the last one ends. */
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
