import type { Transitions } from '#kit/contract/transitions.ts'

/** What an order goes through. The customer's words for these are the activation's and the renewal's own. */
export const orderStates = [
  /** The attempt is committed and on its way to the gateway. */
  'paying',
  /** Sent, and no answer that says yes or no. */
  'payment_unknown',
  /** A definite no, or cancelled by us: nothing was kept. */
  'refused',
  /** The money is reserved, or a voucher is: the worker takes it from here. */
  'authorised',
  'activating_sim',
  'adding_plan',
  'adding_addon',
  'capturing',
  'finishing',
  'completed',
  /** The network failed in a way that may pass: the customer can try again. */
  'held',
  /** Being taken back, step by step, until nothing is left. */
  'undoing',
  'undone',
  /** Its customer wants the plan that waits no more: it is out of the queue, and the network is asked to remove it. */
  'cancelling',
  /** Removed, and what paid for it is given back. */
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
  /** A person at the provider takes it back, as long as no money is being taken. */
  | 'cancel'
  | 'undone'
  /** Its customer does not want the plan that waits. */
  | 'plan_unwanted'
  | 'plan_removed'
  /** The network would not remove it: it waits as before. */
  | 'plan_kept'

/** Every move an order can make. What is not here cannot happen. */
export const orderTransitions: Transitions<OrderState, OrderEvent> = {
  paying: { authorised: 'authorised', refused: 'refused', no_answer: 'payment_unknown' },
  payment_unknown: { authorised: 'authorised', refused: 'refused' },
  refused: {},
  // An activation begins with its SIM; a renewal and an add-on are for a line that is there, unless it is gone by now.
  authorised: {
    begin: 'activating_sim',
    begin_plan: 'adding_plan',
    begin_addon: 'adding_addon',
    fail: 'undoing',
    cancel: 'undoing',
  },
  activating_sim: { sim_activated: 'adding_plan', hold: 'held', fail: 'undoing', cancel: 'undoing' },
  // A plan that was paid with a voucher has nothing to capture.
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

/** Over: nothing moves by itself any more. */
export const isOver = (state: OrderState): boolean => endStates.includes(state)

/** Over, and nothing was bought. */
export const failedStates: OrderState[] = ['refused', 'undone']

/** It is not there, or not any more: in the way of no other. */
export const goneStates: OrderState[] = [...failedStates, 'cancelled']

/** The customer has it and it is paid; what is left is to tell them. */
export const isDelivered = (state: OrderState): boolean => state === 'finishing' || state === 'completed'

/** It was delivered, whatever its customer has made of it since. */
export const wasDelivered = (state: OrderState): boolean =>
  isDelivered(state) || state === 'cancelling' || state === 'cancelled'

/** Why an order fails that a person at the provider takes back. */
export const byOperator = 'cancelled_by_operator'

/** Why an order fails that was to take the place of a plan which has begun. */
export const planBegan = 'next_plan_began'

/** Whether it was to take the place of a plan, and came when that had begun: it is nobody's plan, and its money goes back. */
export const cameTooLate = ({ failure_code: code }: { failure_code: string | null }): boolean => code === planBegan

/** The outcome of the payment is not known yet. */
export const isPaymentOpen = (state: OrderState): boolean => state === 'paying' || state === 'payment_unknown'

/** The payment was accepted. A failed or cancelled order may have given it back since. */
export const wasPaid = (state: OrderState): boolean => state !== 'refused' && !isPaymentOpen(state)
