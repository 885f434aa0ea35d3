import type { AuditEvent } from '#kit/server/audit.ts'

/**
 * What a customer reads of each event of the audit trail: that it happened, not who did it, for that may not have been them.
 * Null for what has its place on another page, or is told by what came of it. A new event is decided about here.
 */
export const eventWords: { readonly [Event in AuditEvent]: string | null } = {
  login: 'Signed in to your account.',
  login_failed: 'A sign-in with a wrong password was refused.',
  logout: 'Signed out.',
  session_ended: 'A device was signed out.',
  other_sessions_ended: 'All other devices were signed out.',
  password_wrong: 'A wrong current password was entered on a device that was signed in.',
  password_confirmed: null,
  account_made: 'Your account was made.',
  accounts_joined: 'Another account with your email address became part of this one.',
  address_disowned: 'Somebody who gets the mail for your email address said that this account is not theirs.',
  email_verified: 'Your email address was confirmed.',
  password_reset_requested: 'A link to set a new password was asked for.',
  password_reset: 'A new password was set with the link of an email.',
  password_changed: 'Your password was changed.',
  email_change_requested: 'A change of your email address was asked for.',
  email_change_pin_wrong: 'A wrong One-Time PIN was entered.',
  email_change_canceled: 'The change of your email address was stopped.',
  email_change_verified: 'The One-Time PIN to change your email address was entered.',
  email_changed: 'Your email address was changed.',
  details_changed: 'Your name was changed.',
  phone_change_requested: 'A change of your contact phone number was asked for.',
  phone_change_canceled: 'The change of your contact phone number was canceled.',
  phone_changed: 'Your contact phone number was changed.',
  payment_refused: 'A card payment was declined.',
  card_update_requested: null,
  card_updated: 'Your saved card was changed.',
  card_removed: 'Your saved card was removed.',
  number_transfer_requested: 'A number transfer was asked for.',
  number_transfer_cancel_requested: 'Cancelling a number transfer was asked for.',
  // Told by the service's page, by Purchase History, and by mail.
  auto_renewal_enabled: null,
  auto_renewal_disabled: null,
  plan_renewed: null,
  addon_bought: null,
  refund_requested: null,
  dispute_closed: null,
  order_refunded: null,
  order_retried: null,
  order_canceled: null,
  customer_signed_out: 'We signed you out on all devices.',
  customer_blocked: 'We blocked your account.',
  customer_unblocked: 'We unblocked your account.',
  customer_unlocked: 'We let you try again to sign in.',
  customer_exported: 'We made a copy of all that we keep of you.',
  data_downloaded: 'A copy of all that we keep of you was downloaded.',
  erasure_requested: 'Erasing all that we keep of you was asked for.',
  erasure_put_off: 'Erasing all that we keep of you was put off.',
  erasure_called_off: 'Erasing all that we keep of you was called off.',
  // Told by the message itself.
  message_resent: null,
  // Nobody is left to read of it.
  customer_erased: null,
  // For the operator.
  operator_task_done: null,
  operator_token_made: null,
  operator_token_revoked: null,
  operator_token_refused: null,
  catalogue_applied: null,
  catalogue_scheduled: null,
  catalogue_called_off: null,
  sims_import_requested: null,
  sims_loaded: null,
  vouchers_made: null,
  voucher_batch_voided: null,
  voucher_voided: null,
  too_many_requests: null,
  csrf_refused: null,
}

/** What can happen to an account without anybody being signed in to it. */
export const causedByAnybody: readonly AuditEvent[] = ['login_failed', 'password_reset_requested']
