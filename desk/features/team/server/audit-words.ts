import type { AuditEvent } from '#kit/server/audit.ts'
import { actWords } from '#desk/features/customers/server/act-words.ts'
import type { AccessAct } from '#desk/features/staff/server/access.store.ts'

const others: { readonly [Event in AuditEvent]?: string } = {
  operator_task_done: 'Task done',
  operator_task_taken: 'Task taken',
  operator_task_handed_back: 'Task handed back',
  port_taken: 'Number transfer taken',
  port_handed_back: 'Number transfer handed back',
  catalogue_applied: 'Catalogue put in force',
  catalogue_scheduled: 'Catalogue put down for a date',
  catalogue_called_off: 'Catalogue called off',
  catalogue_draft_kept: 'Draft of a catalogue kept',
  catalogue_draft_dropped: 'Draft of a catalogue thrown away',
  sims_import_requested: 'SIM packs handed in',
  sims_load_confirmed: 'Good SIM packs of a file to be loaded',
  sims_load_declined: 'File of SIM packs thrown away',
  sims_loaded: 'SIM packs loaded',
  vouchers_begun: 'Codes of vouchers taken',
  vouchers_made: 'Vouchers made good',
  voucher_batch_voided: 'Vouchers of a batch made void',
  voucher_voided: 'Voucher made void',
  staff_invited: 'Invited to the desk',
  staff_changed: 'Roles changed, or invited anew',
  staff_suspended: 'Suspended',
  staff_sessions_ended: 'Signed out everywhere',
  staff_passkey_made: 'Passkey made',
  staff_signed_in: 'Signed in',
  staff_signed_out: 'Signed out',
  look_checked: 'Said of a look whether it was in order',
  trail_exported: 'Took the trail out as a file',
  refund_limits_changed: 'Limits of a role changed',
  notice_said: 'Said on the portal that something is down',
  notice_prolonged: 'Notice on the portal prolonged',
  notice_ended: 'Notice taken off the portal',
  figures_rebuilt: 'Figures of days counted anew',
}

export const actInWords = (event: string): string =>
  (Object.hasOwn(others, event) ? others[event as AuditEvent] : undefined) ?? actWords(event).title

const looks: { readonly [Act in AccessAct]: string } = {
  searched: 'Searched',
  customer_opened: 'Opened a customer',
  customer_seen: 'Looked at a customer',
  number_seen: 'Looked at a number',
  order_seen: 'Looked at an order',
  port_seen: 'Looked at a number transfer',
  dispute_seen: 'Looked at a dispute',
  email_shown: 'Had an e-mail address shown',
  sim_shown: 'Had the number of a SIM shown',
  trail_seen: 'Looked at who did and looked at what',
  task_seen: 'Looked at a task',
}

const aboutCustomers: readonly AuditEvent[] = [
  'refund_requested',
  'order_retried',
  'order_canceled',
  'payment_settled',
  'dispute_accepted',
  'dispute_contested',
  'dispute_closed',
  'approval_asked',
  'approval_given',
  'approval_refused',
  'approval_withdrawn',
  'customer_signed_out',
  'customer_blocked',
  'customer_unblocked',
  'customer_unlocked',
  'caller_pin_sent',
  'caller_pin_wrong',
  'caller_verified',
  'message_resent',
  'number_transfer_requested',
  'number_transfer_cancel_requested',
  'number_transfer_reminded',
  'number_transfer_asked',
  'note_written',
]

export const narrowings = [
  ...Object.entries(looks).map(([code, text]) => ({ code, text })),
  ...[...aboutCustomers, ...Object.keys(others)].map((code) => ({ code, text: actInWords(code) })),
].toSorted((one, other) => one.text.localeCompare(other.text, 'en'))

export function lookInWords(act: string, details: string | null): string {
  if (act === 'searched' && details) {
    const [kinds = '', found = ''] = details.split(': ')
    return `Searched by ${kinds.replaceAll('end', 'last digits')}; ${found} found`
  }
  return Object.hasOwn(looks, act) ? looks[act as AccessAct] : 'Looked at something else'
}
