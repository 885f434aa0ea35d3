import { addOns, type Command, type PlanId, plans, type Press } from './order-commands.ts'

/** How something that was bought has ended, as far as its customer was told. */
type Told = 'through' | 'nothing' | 'unknown'

export type Purchase = {
  code: string
  kind: 'activation' | 'recharge' | 'addon'
  /** What it takes from a card, in cents. */
  price: number
  told: Told
  /** How it has to end, where that does not depend on which call a failure hits. */
  must: Exclude<Told, 'unknown'> | null
  /** Paid with a card of which the gateway says later, by a webhook, what has become of it. */
  pends: boolean
  plan: PlanId | null
  voucher: string | null
  isRefunded: boolean
  /** Of a renewal: whether it waits for the plan before it. */
  starts: 'now' | 'at_end'
  /** Given back before it began. */
  isCancelled: boolean
  /** The code of what waited, which it takes the place of. */
  insteadOf: string | null
}

/** The life of a service's plan; `ends` is the day at whose beginning it does. */
type Life = { product: PlanId; ends: Temporal.PlainDate; auto: boolean; queued: PlanId | null }

/** What should be there: small enough to be seen to be right. */
export type Model = {
  purchases: Purchase[]
  /** Null while it depends on what is still under way, or on which call a failure hits; read anew when all is quiet. */
  life: Life | null
  /** What was bought by hand and waits; null: nothing, or what auto-renewal charged. */
  waiting: Purchase | null
  /** The days on which a plan that waited was cancelled. */
  cancelled: Temporal.PlainDate[]
  /** The number that was asked for last; `tries` are the transfers that were. */
  transfer: { is: 'none' | 'open' | 'over' | 'through'; number: string | null; tries: number }
  /** What auto-renewal has charged, in cents; null when a failure may have had a part in it. */
  charged: number[] | null
  weather: {
    /** Something is asked to go wrong, or has not come. */
    isFoul: boolean
    /** It may be a definite no to the next customer. */
    refuses: boolean
    /** The gateway's outcome of a pending payment may never come. */
    drops: boolean
    /** Days have passed over a card that the gateway may not have seen yet: it takes it for too old then, as when a clock is wrong. */
    isLate: boolean
  }
}

export const fairWeather: Model['weather'] = { isFoul: false, refuses: false, drops: false, isLate: false }

/** Definite, and not only a call that has to be made again. */
export const isRefusal = (command: Command): boolean =>
  (command.do === 'failGateway' || command.do === 'failNetwork') &&
  ['refuse', 'fail_retryable', 'fail_permanent'].includes(command.failure.kind)

export const priceOf = (press: Press): number =>
  press.source.by === 'voucher' ? 0 : press.do === 'addOn' ? addOns[press.product] : plans[press.plan].price

/** The name on the card that pays, which says how the gateway answers. Empty: none; null: the saved card may be changing just now. */
export type Holder = string | null

export const pends = (holder: Holder): boolean => holder === 'PENDING' || holder === null

/** How an order that was begun has to end, whatever is only lost on the way. */
export function endOf(holder: Holder, { refuses, drops }: Model['weather']): Purchase['must'] {
  if (holder?.endsWith('DECLINED')) return 'nothing'
  return refuses || (drops && pends(holder)) ? null : 'through'
}

const isInDoubt = ({ told }: Purchase): boolean => told === 'unknown'
export const inDoubt = ({ purchases }: Model): Purchase[] => purchases.filter(isInDoubt)

/** The network may not have answered yet that it is removed. */
const isCancelling = ({ purchases, weather }: Model): boolean =>
  weather.isFoul && purchases.some(({ isCancelled }) => isCancelled)

/** Why a press may be turned away before anything is written down; undefined: it may not. */
export function turnedAway(model: Model, press: Press, today: Temporal.PlainDate, insteadOf: string | null): string[] {
  const { life } = model
  const isOver = !life || (!life.queued && Temporal.PlainDate.compare(today, life.ends) >= 0)
  const isGone = !life || Temporal.PlainDate.compare(today, life.ends.add({ days: 50 })) >= 0
  const isOpen = inDoubt(model).some(({ kind }) => kind === (press.do === 'renew' ? 'recharge' : 'addon'))
  return [
    ...(isGone ? ['404'] : []),
    ...(press.do === 'addOn' && isOver
      ? ['This Prepay Plan has expired. Please renew it before you buy an Add-On.']
      : []),
    ...(press.do === 'addOn' && isOpen ? ['This Add-On is already being bought.'] : []),
    ...(press.do === 'renew' && (isOpen || !life || isCancelling(model))
      ? ['A renewal of this Prepay Plan is already under way.']
      : []),
    ...(press.do === 'renew' && (!life || (life.queued && !insteadOf)) ? ['Your next Prepay Plan'] : []),
    ...(insteadOf && (isOpen || !mayBeChanged(model, insteadOf, today)) ? notToChange : []),
  ]
}

/** What is said of a plan that waits, or did, when another cannot take its place. */
const notToChange = [
  'Your next Prepay Plan',
  'Three next plans',
  'A refund of your next',
  'There is no next Prepay Plan',
  'This page is out of date',
]

const mayBeChanged = (model: Model, code: string, today: Temporal.PlainDate): boolean =>
  model.waiting?.code === code && isCancellable(model, today) === true

/** A renewal that is through waits for the plan that was there, or takes its place from today on. */
export function renewed(model: Model, purchase: Purchase & { plan: PlanId }, today: Temporal.PlainDate): void {
  const { plan } = purchase
  const waits = purchase.starts === 'at_end' && model.life && Temporal.PlainDate.compare(today, model.life.ends) < 0
  model.waiting = waits ? purchase : null
  if (model.life && waits) model.life = { ...model.life, queued: plan }
  else if (model.life)
    model.life = { ...model.life, product: plan, ends: today.add({ days: plans[plan].days }), queued: null }
}

/** How a plan that waits may be cancelled today; null: as the books say, which the model does not know to the hour. */
export function isCancellable(
  { life, waiting, cancelled, purchases }: Model,
  today: Temporal.PlainDate,
): boolean | null {
  // One that is under way may take its place, and be cancelled itself.
  if (!life || purchases.some(({ insteadOf, told }) => insteadOf && told === 'unknown')) return null
  const ago = cancelled.map((day) => day.until(today, { largestUnit: 'days' }).days)
  const [surely, perhaps] = [ago.filter((days) => days < 29).length, ago.filter((days) => days < 32).length]
  // Once more for what is cancelled already is no fault.
  if (!life.queued) return null
  if (!waiting || today.until(life.ends, { largestUnit: 'days' }).days < 2 || surely >= 3) return false
  return perhaps >= 3 ? null : true
}

/** Days go by in fair weather: who wants it is charged on the day before the end, and the next plan begins where the last one ends. */
export function passDays(model: Model, from: Temporal.PlainDate, days: number): void {
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
