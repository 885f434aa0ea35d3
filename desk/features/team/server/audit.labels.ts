import type { AuditEvent } from '#kit/server/audit.ts'
import { eventLabel } from '#desk/features/customers/server/event.labels.ts'
import type { AccessAction } from '#desk/features/staff/server/access.store.ts'

const nonCustomerEventLabels: { readonly [Event in AuditEvent]?: string } = {
  operator_task_done: 'Task done',
  operator_task_taken: 'Task taken',
  operator_task_handed_back: 'Task unassigned',
  port_taken: 'Number transfer taken',
  port_handed_back: 'Number transfer unassigned',
  catalogue_applied: 'Catalogue published',
  catalogue_scheduled: 'Catalogue scheduled',
  catalogue_called_off: 'Scheduled catalogue cancelled',
  catalogue_draft_kept: 'Catalogue draft saved',
  catalogue_draft_dropped: 'Catalogue draft deleted',
  sims_import_requested: 'SIM pack file uploaded',
  sims_load_confirmed: 'SIM pack load confirmed',
  sims_load_declined: 'SIM pack load declined',
  sims_loaded: 'SIM packs loaded',
  vouchers_begun: 'Voucher codes downloaded',
  vouchers_made: 'Vouchers activated',
  voucher_batch_voided: 'Voucher batch voided',
  voucher_voided: 'Voucher voided',
  staff_invited: 'Invited to the desk',
  staff_changed: 'Given new roles or invited again',
  staff_suspended: 'Suspended',
  staff_sessions_ended: 'Signed out everywhere',
  staff_passkey_made: 'Passkey created',
  staff_signed_in: 'Signed in',
  staff_signed_out: 'Signed out',
  look_checked: 'Random check answered',
  trail_exported: 'Audit log downloaded',
  refund_limits_changed: 'Refund limits changed for a role',
  notice_said: 'Notice published on the portal',
  notice_prolonged: 'Notice on the portal extended',
  notice_ended: 'Notice on the portal ended',
  figures_rebuilt: 'Daily figures recalculated',
}

export const auditEventLabel = (event: string): string =>
  (Object.hasOwn(nonCustomerEventLabels, event) ? nonCustomerEventLabels[event as AuditEvent] : undefined) ??
  eventLabel(event).title

const accessLabels: { readonly [Act in AccessAction]: string } = {
  searched: 'Searched',
  customer_opened: 'Opened a customer record',
  customer_seen: 'Viewed a customer record',
  number_seen: 'Viewed a number',
  order_seen: 'Viewed an order',
  port_seen: 'Viewed a number transfer',
  dispute_seen: 'Viewed a dispute',
  email_shown: 'Revealed an e-mail address',
  sim_shown: 'Revealed a SIM number',
  trail_seen: 'Viewed the audit log',
  task_seen: 'Viewed a task',
}

const customerEvents: readonly AuditEvent[] = [
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

export const auditFilters = [
  ...Object.entries(accessLabels).map(([code, text]) => ({ code, text })),
  ...[...customerEvents, ...Object.keys(nonCustomerEventLabels)].map((code) => ({ code, text: auditEventLabel(code) })),
].toSorted((one, other) => one.text.localeCompare(other.text, 'en'))

export function accessLabel(act: string, details: string | null): string {
  if (act === 'searched' && details) {
    const [kinds = '', found = ''] = details.split(': ')
    return `Searched by ${kinds.replaceAll('end', 'last digits')}; ${found} found`
  }
  return Object.hasOwn(accessLabels, act) ? accessLabels[act as AccessAction] : 'Other access'
}
