import type { OrderEvent, OrderState } from '#features/orders/orders.states.ts'
import type { AttemptState } from '#features/orders/payment-attempts.states.ts'
import type { Operation, OperationKind } from '#features/orders/server/operations.store.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { PortingStatus } from '#features/porting/porting.states.ts'
import type { RefundState } from '#features/refunds/refunds.states.ts'
import type { Tone } from '../orders.contract.ts'

/** Masks long numbers in a provider's text, because they may be phone or SIM numbers. Only the last four digits are shown. */
export const maskNumbers = (text: string): string => text.replaceAll(/\+?\d{7,}/g, (digits) => `••${digits.slice(-4)}`)

type StateLabel = { said: string; tone: Tone }
const good = (label: string): StateLabel => ({ said: label, tone: 'good' })
const warn = (label: string): StateLabel => ({ said: label, tone: 'warn' })
const bad = (label: string): StateLabel => ({ said: label, tone: 'bad' })
const plain = (label: string): StateLabel => ({ said: label, tone: 'plain' })

export const stateLabels: Record<OrderState, StateLabel> = {
  paying: plain('Paying'),
  payment_unknown: warn('Payment outcome unknown'),
  refused: bad('Refused'),
  authorised: plain('Authorised'),
  activating_sim: plain('Activating the SIM'),
  adding_plan: plain('Adding the plan'),
  adding_addon: plain('Adding the add-on'),
  capturing: plain('Taking payment'),
  finishing: good('Delivered'),
  completed: good('Completed'),
  held: warn('Held'),
  undoing: warn('Being reversed'),
  undone: bad('Reversed'),
  cancelling: warn('Being cancelled'),
  cancelled: plain('Cancelled'),
}

const typeLabels: Record<Order['kind'], string> = { activation: 'Activation', recharge: 'Renewal', addon: 'Add-on' }

export const orderTypeLabel = ({ kind, paid_with: by, auto_renewal: isAuto }: Order): string =>
  `${isAuto && kind === 'recharge' ? 'Auto-renewal' : typeLabels[kind]} by ${by === 'voucher' ? 'voucher' : 'card'}`

/** Timeline labels by order event. `null` marks an event that adds nothing to the one before it. */
export const stepLabels: Record<OrderEvent | 'placed', StateLabel | null> = {
  placed: plain('Placed'),
  authorised: good('Authorised'),
  refused: bad('Refused'),
  no_answer: warn('No answer yet'),
  begin: null,
  begin_plan: null,
  begin_addon: null,
  sim_activated: good('SIM active'),
  plan_added: good('Plan added'),
  plan_added_paid: good('Plan added'),
  addon_added: good('Add-on added'),
  addon_added_paid: good('Add-on added'),
  captured: good('Payment taken'),
  finished: good('Completed'),
  hold: warn('Held'),
  retry_sim: plain('Tried again'),
  retry_plan: plain('Tried again'),
  fail: bad('Failed'),
  cancel: warn('Cancelled by us'),
  undone: plain('Reversed'),
  plan_unwanted: warn('Cancellation requested'),
  plan_removed: plain('Plan removed'),
  plan_kept: warn('Plan kept'),
}

export const attemptLabels: Record<AttemptState, StateLabel> = {
  initiated: warn('On its way'),
  unknown: warn('No answer'),
  authorised: good('Authorised'),
  refused: bad('Refused'),
  capturing: good('Authorised'),
  captured: good('Authorised'),
  cancelling: plain('Authorised'),
  cancelled: plain('Cancelled'),
}

export const refundLabels: Record<RefundState, StateLabel> = {
  initiated: warn('On its way'),
  unknown: warn('No answer'),
  received: good('Received'),
  refused: bad('Refused'),
  returned: bad('Returned by the bank'),
}

export const gatewayRequestLabels: Readonly<Record<string, string>> = {
  authorise: 'Authorise',
  capture: 'Capture',
  cancel: 'Cancel',
  refund: 'Refund',
  technicalCancel: 'Cancel by reference',
}

export const requestOutcomeLabels: Readonly<Record<string, StateLabel>> = {
  unknown: warn('No answer'),
  fault: bad('Fault'),
  pending: plain('Pending'),
  refused: bad('Refused'),
  rejected: bad('Rejected'),
  failed: bad('Failed'),
}

export const operationLabels: Record<OperationKind, string> = {
  activate_sim: 'Activate SIM',
  deactivate_sim: 'Deactivate SIM',
  add_plan: 'Add plan',
  add_addon: 'Add add-on',
  remove_plan: 'Remove plan',
  remove_addon: 'Remove add-on',
}

export const operationStateLabels: Record<Operation['state'], StateLabel> = {
  initiated: plain('In progress'),
  completed: good('Completed'),
  failed: bad('Failed'),
  rejected: bad('Rejected'),
}

export const portLabels: Record<PortingStatus, StateLabel> = {
  NEW: plain('Not submitted yet'),
  SUBMITTED: plain('In progress'),
  CANCELLING: warn('Being cancelled'),
  COMPLETED: good('Completed'),
  FAILED: bad('Declined'),
  CANCELLED: plain('Cancelled'),
}
