import type { TransitionTable } from '#kit/contract/transitions.ts'

export const orderStates = [
  'paying',
  /** The payment request was sent, but the gateway has not yet authorised or refused the payment. */
  'payment_unknown',
  /** The gateway refused the payment or we cancelled it, so nothing was charged. */
  'refused',
  /** The money or voucher is reserved. From this state on, a worker processes the order. */
  'authorised',
  'activating_sim',
  'adding_plan',
  'adding_addon',
  'capturing',
  'finishing',
  'completed',
  /** The network failed temporarily, so the customer can try again. */
  'held',
  /** The order is being reversed step by step. */
  'undoing',
  'undone',
  /** A queued plan was cancelled: it has left the queue, and the network is being asked to remove it. */
  'cancelling',
  /** The cancelled plan will not start, and its payment is being refunded. */
  'cancelled',
] as const
export type OrderState = (typeof orderStates)[number]

export type OrderEvent =
  | 'authorised'
  | 'refused'
  | 'no_answer'
  | 'begin'
  | 'begin_plan'
  | 'begin_addon'
  | 'sim_activated'
  | 'plan_added'
  | 'plan_added_paid'
  | 'addon_added'
  | 'addon_added_paid'
  | 'captured'
  | 'finished'
  | 'hold'
  | 'retry_sim'
  | 'retry_plan'
  | 'fail'
  /** Staff cancel the order, which reverses it. This is possible until the money is about to be captured. */
  | 'cancel'
  | 'undone'
  | 'plan_unwanted'
  | 'plan_removed'
  | 'plan_kept'

export const orderTransitions: TransitionTable<OrderState, OrderEvent> = {
  paying: { authorised: 'authorised', refused: 'refused', no_answer: 'payment_unknown' },
  payment_unknown: { authorised: 'authorised', refused: 'refused' },
  refused: {},
  // An activation first activates its SIM. Renewals and add-ons need an existing service, and fail if it no longer exists.
  authorised: {
    begin: 'activating_sim',
    begin_plan: 'adding_plan',
    begin_addon: 'adding_addon',
    fail: 'undoing',
    cancel: 'undoing',
  },
  activating_sim: { sim_activated: 'adding_plan', hold: 'held', fail: 'undoing', cancel: 'undoing' },
  // There is no money to capture for a plan that a voucher paid for.
  adding_plan: {
    plan_added: 'capturing',
    plan_added_paid: 'finishing',
    hold: 'held',
    fail: 'undoing',
    cancel: 'undoing',
  },
  adding_addon: { addon_added: 'capturing', addon_added_paid: 'finishing', fail: 'undoing', cancel: 'undoing' },
  capturing: { captured: 'finishing', fail: 'undoing' },
  finishing: { finished: 'completed' },
  completed: { plan_unwanted: 'cancelling' },
  held: { retry_sim: 'activating_sim', retry_plan: 'adding_plan', fail: 'undoing', cancel: 'undoing' },
  undoing: { undone: 'undone' },
  undone: {},
  cancelling: { plan_removed: 'cancelled', plan_kept: 'completed' },
  cancelled: {},
}

export const endStates: OrderState[] = ['refused', 'completed', 'undone', 'cancelled']

export const isEndState = (state: OrderState): boolean => endStates.includes(state)

export const failedStates: OrderState[] = ['refused', 'undone']

/** States in which an order does not block other orders. */
export const nonBlockingStates: OrderState[] = [...failedStates, 'cancelled']

/** Whether the customer has paid for and received the plan or add-on. The invoice and confirmation may not exist yet. */
export const isDelivered = (state: OrderState): boolean => state === 'finishing' || state === 'completed'

/** Whether the order was ever delivered, even if its plan has since been cancelled. */
export const wasDelivered = (state: OrderState): boolean =>
  isDelivered(state) || state === 'cancelling' || state === 'cancelled'

export const cancelledByOperatorCode = 'cancelled_by_operator'

export const planHasBegunCode = 'next_plan_began'

/**
 * Whether the order was meant to replace a queued plan but came too late, because that plan had already started. The order
 * delivers nothing and is refunded.
 */
export const isReplacementTooLate = ({ failure_code: code }: { failure_code: string | null }): boolean =>
  code === planHasBegunCode

export const isPaymentOpen = (state: OrderState): boolean => state === 'paying' || state === 'payment_unknown'

/** Whether the payment was accepted. If the order later failed or was cancelled, the money may have been returned. */
export const wasPaid = (state: OrderState): boolean => state !== 'refused' && !isPaymentOpen(state)
