import * as fc from 'fast-check'
import type { GatewayFailure, NetworkFailure } from './simulators.ts'

/** The prices of the model's products in cents. `price` applies when the customer buys, and `rebill` to auto-renewal. */
export const plans = {
  'plan-7-500mb': { days: 7, price: 600, rebill: 600 },
  'plan-30-5gb': { days: 30, price: 2200, rebill: 2100 },
  'plan-30-15gb': { days: 30, price: 3600, rebill: 3400 },
} as const
export type PlanId = keyof typeof plans
export const addOns = { 'extra-500mb': 400, 'extra-2gb': 1000 } as const

/** The cardholder name determines how a card's payments turn out. The customer's first card is valid. */
export const validCardHolder = 'Ana Rewi'
const cardHolders = [validCardHolder, 'TIMEOUT', 'PENDING', 'DECLINED', 'PENDING_DECLINED'] as const
type PaymentSource = { by: 'saved' } | { by: 'card'; holder: (typeof cardHolders)[number] } | { by: 'voucher' }

export type PurchaseCommand =
  /** With `change`, the renewal replaces the waiting plan, if any. */
  | { do: 'renew'; plan: PlanId; source: PaymentSource; starts: 'now' | 'at_end'; change: boolean }
  | { do: 'addOn'; product: keyof typeof addOns; source: Exclude<PaymentSource, { by: 'voucher' }> }

export type DonorResponse = 'declined' | 'awaitingCustomerReply' | 'completed'

/**
 * Commands for the model: actions of a customer and an operator, the passing of time, and failures. Items are referred to by index, so that
 * a sequence of commands still works after it has been shortened.
 */
export type Command =
  | PurchaseCommand
  | { do: 'activate'; source: Exclude<PaymentSource, { by: 'saved' }> }
  | { do: 'pressAgain' }
  | { do: 'resume' }
  | { do: 'autoRenewal'; on: boolean }
  | { do: 'refund'; which: number }
  | { do: 'cancelNext' }
  /**
   * Requests the transfer of a number from another provider. If an earlier request was declined, the same number is requested with a
   * different SIM number.
   */
  | { do: 'transfer' }
  | { do: 'donor'; says: DonorResponse }
  | { do: 'callOff' }
  | { do: 'time'; days: number }
  | { do: 'failGateway'; failure: GatewayFailure }
  | { do: 'failNetwork'; failure: NetworkFailure }
  | { do: 'webhooks'; mode: 'hold' | 'duplicate' | 'reorder' | 'drop' }
  | { do: 'networkEvents'; mode: 'hold' | 'duplicate' | 'drop' }
  | { do: 'calm' }

const card = fc.record({ by: fc.constant('card' as const), holder: fc.constantFrom(...cardHolders) })
const saved = fc.constant({ by: 'saved' as const })
const voucherSource = fc.constant({ by: 'voucher' as const })
const planId = fc.constantFrom(...(Object.keys(plans) as PlanId[]))
const times = fc.constantFrom(1, 2)

/** How many days pass. Most values stay within a plan. A few go beyond its end, or beyond the day on which the number is released. */
const days = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 7 }) },
  { weight: 1, arbitrary: fc.constant(31) },
  { weight: 1, arbitrary: fc.constant(58) },
)

const renewalCommand = fc.record({
  do: fc.constant('renew' as const),
  plan: planId,
  source: fc.oneof(saved, card, voucherSource),
  starts: fc.constantFrom('now' as const, 'at_end' as const),
  change: fc.boolean(),
})
const addOn = fc.record({
  do: fc.constant('addOn' as const),
  product: fc.constantFrom(...(Object.keys(addOns) as (keyof typeof addOns)[])),
  source: fc.oneof(saved, card),
})

const gatewayFailure = fc.oneof(
  fc.record({
    operation: fc.constantFrom(
      'authorise' as const,
      'capture' as const,
      'cancel' as const,
      'refund' as const,
      'technicalCancel' as const,
    ),
    kind: fc.constantFrom('lost_request' as const, 'lost_answer' as const, 'error_500' as const),
    times,
  }),
  fc.record({
    operation: fc.constant('authorise' as const),
    kind: fc.constantFrom('refuse' as const, 'slow' as const),
    delay_ms: fc.constant(700),
  }),
)
const networkFailure = fc.oneof(
  fc.record({
    operation: fc.constantFrom(
      'add_plan' as const,
      'add_addon' as const,
      'remove_plan' as const,
      'any' as const,
      'read' as const,
    ),
    kind: fc.constantFrom('lost_answer' as const, 'error_500' as const),
    times,
  }),
  fc.record({
    operation: fc.constantFrom('activate' as const, 'add_plan' as const, 'add_addon' as const),
    kind: fc.constantFrom('fail_retryable' as const, 'fail_permanent' as const),
    times: fc.constantFrom(1, 3),
  }),
)

const orderCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: renewalCommand },
  { weight: 4, arbitrary: addOn },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('activate' as const), source: fc.oneof(card, voucherSource) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'pressAgain' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'resume' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('autoRenewal' as const), on: fc.constantFrom(true, true, false) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), which: fc.nat({ max: 5 }) }) },
  { weight: 3, arbitrary: fc.constant({ do: 'cancelNext' as const }) },
  { weight: 3, arbitrary: fc.constant({ do: 'transfer' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('donor' as const),
      // Rarely choose `completed`, because a service can have only one successful transfer.
      says: fc.constantFrom<DonorResponse>('declined', 'declined', 'awaitingCustomerReply', 'completed'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'callOff' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('time' as const), days }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('failGateway' as const), failure: gatewayFailure }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('failNetwork' as const), failure: networkFailure }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('webhooks' as const),
      mode: fc.constantFrom('hold' as const, 'duplicate' as const, 'reorder' as const, 'drop' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('networkEvents' as const),
      mode: fc.constantFrom('hold' as const, 'duplicate' as const, 'drop' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'calm' as const }) },
)

export const orderCommands = (maxLength: number): fc.Arbitrary<Command[]> =>
  fc.array(orderCommand, { minLength: 1, maxLength, size: 'max' })
