import type { Transitions } from '#kit/contract/transitions.ts'

export const orderStates = [
  'paying',
  /** The attempt was sent, and the gateway has neither authorised nor refused it. */
  'payment_unknown',
  /** The gateway refused the payment, or we cancelled it: no money was kept. */
  'refused',
  /** The money or the voucher is reserved, and the worker processes the order from here. */
  'authorised',
  'activating_sim',
  'adding_plan',
  'adding_addon',
  'capturing',
  'finishing',
  'completed',
  /** The network failed in a way that may pass, so the customer can try again. */
  'held',
  /** The order is being reversed step by step, until nothing of it is left. */
  'undoing',
  'undone',
  /** The customer cancelled a queued plan: the plan has left the queue, and the network is asked to remove it. */
  'cancelling',
  /** The network has removed the plan, and its payment is refunded. */
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
  /** Staff reverse the order. This is possible until the capture of the money begins. */
  | 'cancel'
  | 'undone'
  | 'plan_unwanted'
  | 'plan_removed'
  | 'plan_kept'

export const orderTransitions: Transitions<OrderState, OrderEvent> = {
  paying: { authorised: 'authorised', refused: 'refused', no_answer: 'payment_unknown' },
  payment_unknown: { authorised: 'authorised', refused: 'refused' },
  refused: {},
  // An activation begins with its SIM. A renewal or an add-on needs an existing service, and fails if that service is
  // gone.
  authorised: {
    begin: 'activating_sim',
    begin_plan: 'adding_plan',
    begin_addon: 'adding_addon',
    fail: 'undoing',
    cancel: 'undoing',
  },
  activating_sim: { sim_activated: 'adding_plan', hold: 'held', fail: 'undoing', cancel: 'undoing' },
  // A plan that was paid for with a voucher has nothing to capture.
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

export const isOver = (state: OrderState): boolean => endStates.includes(state)

export const failedStates: OrderState[] = ['refused', 'undone']

/** Orders in these states do not block another order. */
export const nonBlockingStates: OrderState[] = [...failedStates, 'cancelled']

/** The customer has the product and has paid; only the invoice and the confirmation may still be missing. */
export const isDelivered = (state: OrderState): boolean => state === 'finishing' || state === 'completed'

/** The order was delivered at some time, even if its plan has been cancelled since. */
export const wasDelivered = (state: OrderState): boolean =>
  isDelivered(state) || state === 'cancelling' || state === 'cancelled'

export const cancelledByOperator = 'cancelled_by_operator'

export const planHasBegunCode = 'next_plan_began'

/**
 * Whether the order was to replace a queued plan but arrived after that plan had begun. Such an order delivers nothing
 * and is refunded.
 */
export const isTooLate = ({ failure_code: code }: { failure_code: string | null }): boolean => code === planHasBegunCode

export const isPaymentOpen = (state: OrderState): boolean => state === 'paying' || state === 'payment_unknown'

/** The payment was accepted. If the order failed or was cancelled later, the money may have been returned since. */
export const wasPaid = (state: OrderState): boolean => state !== 'refused' && !isPaymentOpen(state)
