import type { OrderEvent, OrderState } from '#features/orders/orders.states.ts'
import type { AttemptState } from '#features/orders/payment-attempts.states.ts'
import type { Operation, OperationKind } from '#features/orders/server/operations.store.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { PortingStatus } from '#features/porting/porting.states.ts'
import type { RefundState } from '#features/refunds/refunds.states.ts'
import type { Tone } from '../orders.contract.ts'

/** A provider's text may contain a phone number or a SIM number. As elsewhere, only the last four digits are shown. */
export const withoutNumbers = (text: string): string =>
  text.replaceAll(/\+?\d{7,}/g, (digits) => `••${digits.slice(-4)}`)

type Said = { said: string; tone: Tone }
const good = (said: string): Said => ({ said, tone: 'good' })
const warn = (said: string): Said => ({ said, tone: 'warn' })
const bad = (said: string): Said => ({ said, tone: 'bad' })
const plain = (said: string): Said => ({ said, tone: 'plain' })

export const stateWords: Record<OrderState, Said> = {
  paying: plain('Paying'),
  payment_unknown: warn('Payment outcome unknown'),
  refused: bad('Refused'),
  authorised: plain('Authorised'),
  activating_sim: plain('Activating the SIM'),
  adding_plan: plain('Adding the plan'),
  adding_addon: plain('Adding the add-on'),
  capturing: plain('Taking the money'),
  finishing: good('Delivered'),
  completed: good('Completed'),
  held: warn('Held'),
  undoing: warn('Being reversed'),
  undone: bad('Reversed'),
  cancelling: warn('Being cancelled'),
  cancelled: plain('Cancelled'),
}

const kindWords: Record<Order['kind'], string> = { activation: 'Activation', recharge: 'Renewal', addon: 'Add-on' }

export const wordsOfKind = ({ kind, paid_with: by, auto_renewal: isAuto }: Order): string =>
  `${isAuto && kind === 'recharge' ? 'Auto-renewal' : kindWords[kind]} by ${by === 'voucher' ? 'voucher' : 'card'}`

/** Timeline labels by order event; `null` for an event that adds nothing to the event before. */
export const stepWords: Record<OrderEvent | 'placed', Said | null> = {
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
  captured: good('Money taken'),
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

export const attemptWords: Record<AttemptState, Said> = {
  initiated: warn('On its way'),
  unknown: warn('No answer'),
  authorised: good('Authorised'),
  refused: bad('Refused'),
  capturing: good('Authorised'),
  captured: good('Authorised'),
  cancelling: plain('Authorised'),
  cancelled: plain('Cancelled'),
}

export const refundWords: Record<RefundState, Said> = {
  initiated: warn('On its way'),
  unknown: warn('No answer'),
  received: good('Received'),
  refused: bad('Refused'),
  returned: bad('Returned by the bank'),
}

export const cardCallWords: Readonly<Record<string, string>> = {
  authorise: 'Authorise',
  capture: 'Capture',
  cancel: 'Cancel',
  refund: 'Refund',
  technicalCancel: 'Cancel by reference',
}

export const callWords: Readonly<Record<string, Said>> = {
  unknown: warn('No answer'),
  fault: bad('Fault'),
  pending: plain('Pending'),
  refused: bad('Refused'),
  rejected: bad('Rejected'),
  failed: bad('Failed'),
}

export const operationWords: Record<OperationKind, string> = {
  activate_sim: 'Activate SIM',
  deactivate_sim: 'Deactivate SIM',
  add_plan: 'Add plan',
  add_addon: 'Add add-on',
  remove_plan: 'Remove plan',
  remove_addon: 'Remove add-on',
}

export const operationEnds: Record<Operation['state'], Said> = {
  initiated: plain('In progress'),
  completed: good('Completed'),
  failed: bad('Failed'),
  rejected: bad('Rejected'),
}

export const portWords: Record<PortingStatus, Said> = {
  NEW: plain('Not submitted yet'),
  SUBMITTED: plain('In progress'),
  CANCELLING: warn('Being cancelled'),
  COMPLETED: good('Completed'),
  FAILED: bad('Declined'),
  CANCELLED: plain('Cancelled'),
}
