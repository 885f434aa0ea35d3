import { formatNational } from '#kit/contract/phone.ts'
import { queuePhoneConfirmationMail, notifyPhoneChanged } from '#features/account/server/contact-phone.mail.ts'
import { notifyAccountsJoined } from '#features/auth/server/join-accounts.mail.ts'
import { queueResetLinkMail, queueResetPinSms, notifyPasswordChanged } from '#features/auth/server/password.mail.ts'
import { sendVerificationMail } from '#features/auth/server/verification.mail.ts'
import * as changeEmail from '#features/change-email/server/change-email.mail.ts'
import type { EmailChange } from '#features/change-email/server/change-email.store.ts'
import { describeRunningPlan, describeReplacementPlan } from '#features/next-plan/server/next-plan.labels.ts'
import {
  sendPlanCancelledMail,
  sendCancellationFailedMail,
  sendReplacementCancelledMail,
} from '#features/next-plan/server/next-plan.mail.ts'
import { readYearlyUsage } from '#features/history/server/history.ts'
import { sendYearlySummary } from '#features/history/server/yearly-summary.mail.ts'
import { sendActivationMail } from '#features/orders/server/activation.mail.ts'
import { sendAddOnMail, sendRenewalMail } from '#features/orders/server/purchase.mail.ts'
import { sendOrderCancelledMail } from '#features/orders/server/order-cancelled.mail.ts'
import { notifyCardRemoved, notifyCardSaved } from '#features/payment-method/server/payment-method.mail.ts'
import { sendActionRequest } from '#features/porting/server/port-action.mail.ts'
import { sendPortEndSms, sendReplyRequest } from '#features/porting/server/port-messages.mail.ts'
import { sendPortMail } from '#features/porting/server/porting.mail.ts'
import type { PortingRequest } from '#features/porting/server/porting.store.ts'
import { sendRefundMail } from '#features/refunds/server/refund.mail.ts'
import type { Refund } from '#features/refunds/server/refunds.store.ts'
import { queueMessages } from '#features/messages/server/messages.ts'
import { createExpiryMail, createNumberReminder } from '#features/services/server/plan-life.mail.ts'
import { demoPorts } from '#demo/fixtures.ts'
import { portForm } from './activation-journey.ts'
import { callerPinSamples } from './caller-message-samples.ts'
import { messageCopySamples } from './message-copy-samples.ts'
import { planEndSamples } from './plan-end-message-samples.ts'
import { erasureSamples } from './erasure-message-samples.ts'
import { usageMessageSamples } from './usage-message-samples.ts'
import type { MessageSample, Scene } from './render-messages.ts'

const token = 'lO34-IUqNJjAxielQntbo1sNPIBDBnK_FjG6E-ZBL38'

const createPortForm = ({ deps: { market } }: Pick<Scene, 'deps'>) => portForm(demoPorts[market.code][0].msisdn)

const buildPortingRequest = ({ service, deps }: Scene, status: PortingRequest['status']): PortingRequest => ({
  id: crypto.randomUUID(),
  external_id: `${service.id}-port-1`,
  service_id: service.id,
  order_id: null,
  msisdn: createPortForm({ deps }).msisdn,
  provider_id: createPortForm({ deps }).provider,
  billing_method: 'prepay',
  prepaid_sim_number: createPortForm({ deps }).prepaid_sim_number ?? null,
  account_number: null,
  status,
  version: 1,
  sub_state: null,
  handed_in_at: null,
  cancel_asked_at: null,
  failure_code: null,
  failure_acknowledged_at: null,
  retry_at: null,
  tries: 0,
  created_at: new Date(),
  ended_at: null,
})

const buildEmailChange = ({ user }: Scene): EmailChange => ({
  id: crypto.randomUUID(),
  user_id: user.id,
  new_email: 'ana@new.example.nz',
  state: 'PIN_SENT' as EmailChange['state'],
  version: 1,
  pin_hash: '',
  pin_expires_at: new Date(),
  sent_to: user.email,
  link_wanted: false,
  retry_at: null,
  tries: 0,
  canceled_by: null,
  created_at: new Date(),
  ended_at: null,
})

const createRefund = ({ order }: Scene): Refund => ({
  id: crypto.randomUUID(),
  order_id: order.id,
  attempt: 1,
  reference: `${order.order_code}-1`,
  idempotency_key: crypto.randomUUID(),
  state: 'received',
  amount_cents: order.amount_cents,
  reason: null,
  psp_reference: null,
  refusal: null,
  created_at: new Date(),
  retry_at: null,
  tries: 0,
})

const yearSummarySample = (name: string, count: number): MessageSample => ({
  name,
  by: sendYearlySummary,
  async write({ trx, deps, user, service }) {
    const owner = { userId: user.id, serviceId: service.id }
    const year = await readYearlyUsage({ ...deps, db: trx }, owner)
    const use = { starts_at: new Date(), ends_at: new Date(), is_whole: true, ran_out_at: null, due_at: null }
    const plan = { title: '25 GB Prepay Plan', data_gb: 25, length_days: 90 }
    const cycles = [9_200, null, 13_000, 11_400].map((used_mb) => ({ ...use, ...plan, used_mb }))
    const cheaperPlanText =
      'You used 9 to 13 GB in each data cycle we have figures for (3 of your last 4). ' +
      '15 GB for 90 days would have been enough each time and costs $17.85 less.'
    const one = {
      id: service.id,
      msisdn: service.msisdn,
      year: { ...year, cycles },
      cheaperPlanSentence: cheaperPlanText,
    }
    const numbers = Array.from({ length: count }, (_, at) => (at === 0 ? one : { ...one, cheaperPlanSentence: null }))
    const dueAt = deps.clock.now().add({ seconds: count })
    await sendYearlySummary(trx, deps, { user, numbers, dueAt })
  },
})

const purchaseSamples: MessageSample[] = [
  {
    name: 'welcome',
    by: sendActivationMail,
    write: ({ trx, deps, order }) => sendActivationMail(trx, deps, order, { port: undefined, signedIn: false }),
  },
  {
    name: 'welcome, with a transfer',
    by: sendActivationMail,
    write: (scene) =>
      sendActivationMail(scene.trx, scene.deps, scene.order, {
        port: buildPortingRequest(scene, 'NEW'),
        signedIn: false,
      }),
  },
  {
    name: 'another SIM',
    by: sendActivationMail,
    write: ({ trx, deps, order }) =>
      sendActivationMail(trx, deps, { ...order, id: crypto.randomUUID() }, { port: undefined, signedIn: true }),
  },
  {
    name: 'another SIM, without being logged in',
    by: sendActivationMail,
    write: ({ trx, deps, order }) =>
      sendActivationMail(trx, deps, { ...order, id: crypto.randomUUID() }, { port: undefined, signedIn: false }),
  },
  { name: 'renewal', by: sendRenewalMail, write: ({ trx, deps, order }) => sendRenewalMail(trx, deps, order) },
  {
    name: 'renewal at the end',
    by: sendRenewalMail,
    write: ({ trx, deps, order, schedule }) =>
      sendRenewalMail(trx, deps, {
        ...order,
        id: crypto.randomUUID(),
        starts_at: new Date(schedule.expiresAt.epochMilliseconds),
      }),
  },
  {
    name: 'add-on',
    by: sendAddOnMail,
    write: ({ trx, deps, order }) =>
      sendAddOnMail(trx, deps, {
        ...order,
        product: { ...order.product, title: 'Extra 2 GB', data_gb: 2, length: 30 },
      }),
  },
  {
    name: 'order taken back',
    by: sendOrderCancelledMail,
    write: ({ trx, deps, order }) => sendOrderCancelledMail(trx, deps, order),
  },
  {
    name: 'first order taken back',
    by: sendOrderCancelledMail,
    write: ({ trx, deps, order, user }) =>
      sendOrderCancelledMail(trx, deps, { ...order, id: crypto.randomUUID(), user_id: null, email: user.email }),
  },
  {
    name: 'refund',
    by: sendRefundMail,
    write: (scene) =>
      sendRefundMail(scene.trx, scene.deps, {
        order: scene.order,
        refund: createRefund(scene),
        creditCode: `${scene.order.order_code}-C`,
      }),
  },
  {
    name: 'refund in part',
    by: sendRefundMail,
    write: (scene) =>
      sendRefundMail(scene.trx, scene.deps, {
        order: scene.order,
        refund: { ...createRefund(scene), amount_cents: 500 },
        creditCode: `${scene.order.order_code}-C`,
      }),
  },
  {
    name: 'next plan cancelled',
    by: sendPlanCancelledMail,
    write: ({ trx, deps, order, schedule }) =>
      sendPlanCancelledMail(trx, deps, order, {
        back: { by: 'card', card: 'Visa ending 1111', paidCents: order.amount_cents, leftCents: order.amount_cents },
        after: describeRunningPlan(
          { expiresAt: schedule.expiresAt, isRenewing: false },
          { now: deps.clock.now(), zone: deps.market.zone },
        ),
      }),
  },
  {
    name: 'next plan cancelled, paid with a voucher',
    by: sendPlanCancelledMail,
    write: ({ trx, deps, order, schedule }) =>
      sendPlanCancelledMail(trx, deps, order, {
        back: { by: 'voucher', expiresAt: schedule.expiresAt.add({ hours: 24 * 90 }), isVoid: false },
        after: describeRunningPlan(
          { expiresAt: schedule.expiresAt, isRenewing: true },
          { now: deps.clock.now(), zone: deps.market.zone },
        ),
      }),
  },
  {
    name: 'next plan changed for another',
    by: sendPlanCancelledMail,
    write: ({ trx, deps, order, schedule }) =>
      sendPlanCancelledMail(trx, deps, order, {
        back: { by: 'card', card: 'Visa ending 1111', paidCents: order.amount_cents, leftCents: order.amount_cents },
        after: describeReplacementPlan(
          { title: '15 GB Prepay Plan', lengthDays: 90, startsAt: schedule.expiresAt },
          deps.market,
        ),
      }),
  },
  {
    name: 'next plan not changed',
    by: sendReplacementCancelledMail,
    write: ({ trx, deps, order }) =>
      sendReplacementCancelledMail(trx, deps, order, {
        by: 'card',
        card: 'Visa ending 1111',
        paidCents: order.amount_cents,
        leftCents: order.amount_cents,
      }),
  },
  {
    name: 'next plan not cancelled',
    by: sendCancellationFailedMail,
    write: ({ trx, deps, order }) => sendCancellationFailedMail(trx, deps, order),
  },
  {
    name: 'transfer through',
    by: sendPortMail,
    write: (scene) => sendPortMail(scene.trx, scene.deps, buildPortingRequest(scene, 'COMPLETED')),
  },
  {
    name: 'transfer failed',
    by: sendPortMail,
    write: (scene) => sendPortMail(scene.trx, scene.deps, buildPortingRequest(scene, 'FAILED')),
  },
  {
    name: 'transfer cancelled',
    by: sendPortMail,
    write: (scene) => sendPortMail(scene.trx, scene.deps, buildPortingRequest(scene, 'CANCELLED')),
  },
]

const transferMessageSamples: MessageSample[] = [
  {
    name: 'transfer, the Yes awaited',
    by: sendReplyRequest,
    write: (scene) =>
      sendReplyRequest(
        scene.trx,
        scene.deps,
        buildPortingRequest(scene, 'SUBMITTED'),
        Temporal.Instant.from('2026-11-22T23:40:00Z'),
      ),
  },
  ...(['COMPLETED', 'FAILED'] as const).map((status) => ({
    name: `transfer ${status === 'COMPLETED' ? 'through' : 'failed'}, by text`,
    by: sendPortEndSms,
    write: (scene: Scene) =>
      sendPortEndSms(scene.trx, scene.deps, {
        ...buildPortingRequest(scene, status),
        failure_code: 'DONOR_ACCOUNT_MISMATCH',
      }),
  })),
  ...(['sim_number', 'account_number', 'no_reply', 'information', 'unknown'] as const).map((about) => ({
    name: `transfer, its customer asked by us: ${about}`,
    by: sendActionRequest,
    write: (scene: Scene) =>
      sendActionRequest(
        scene.trx,
        scene.deps,
        buildPortingRequest(scene, about === 'information' ? 'SUBMITTED' : 'FAILED'),
        about,
      ),
  })),
]

const visa = { card_type: 'visa', last_four: '1111' }

const accountSamples: MessageSample[] = [
  {
    name: 'card saved',
    by: notifyCardSaved,
    write: ({ trx, deps, user }) =>
      notifyCardSaved(trx, deps, user, { event: crypto.randomUUID(), before: null, after: visa }),
  },
  {
    name: 'card removed',
    by: notifyCardRemoved,
    write: ({ trx, deps, user, service }) =>
      notifyCardRemoved(trx, deps, user, {
        event: crypto.randomUUID(),
        card: visa,
        renewing: [formatNational(service.msisdn)],
      }),
  },
  {
    name: 'verification',
    by: sendVerificationMail,
    write: ({ trx, deps, user }) => sendVerificationMail(trx, deps, user, token),
  },
  {
    name: 'joined account',
    by: notifyAccountsJoined,
    write: ({ trx, deps, user, service }) =>
      notifyAccountsJoined(trx, deps, { from: user, into: user, phone: service.msisdn }),
  },
  ...([1, 2] as const).map((count): MessageSample => ({
    name: count === 1 ? 'reset link' : 'reset links of two accounts',
    by: queueResetLinkMail,
    write: ({ trx, deps, user, service }) => {
      const link = `${deps.publicUrl}/reset-password/${user.id}/${token}/`
      const account = { user, phone: null, link }
      const other = { user, phone: formatNational(service.msisdn), link }
      return queueResetLinkMail(trx, deps, count === 1 ? [account] : [account, other], crypto.randomUUID())
    },
  })),
  {
    name: 'reset PIN',
    by: queueResetPinSms,
    write: ({ trx, deps, service, user }) =>
      queueResetPinSms(trx, deps, { to: service.msisdn, userId: user.id, pin: '482911', token, minutes: 60 }),
  },
  {
    name: 'new password',
    by: notifyPasswordChanged,
    write: ({ trx, deps, user }) => notifyPasswordChanged(trx, deps, user),
  },
  {
    name: 'contact phone, link',
    by: queuePhoneConfirmationMail,
    write: ({ trx, deps, user, service }) =>
      queuePhoneConfirmationMail(trx, deps, user, { service_id: service.id, msisdn: service.msisdn }),
  },
  {
    name: 'contact phone, changed',
    by: notifyPhoneChanged,
    write: ({ trx, deps, user, service }) =>
      notifyPhoneChanged(trx, deps, user, {
        event: crypto.randomUUID(),
        before: service.msisdn,
        after: createPortForm({ deps }).msisdn,
      }),
  },
  {
    name: 'new address, PIN by text',
    by: changeEmail.sendPinSms,
    write: (scene) =>
      changeEmail.sendPinSms(scene.trx, scene.deps, buildEmailChange(scene), {
        to: scene.service.msisdn,
        pin: '482911',
      }),
  },
  {
    name: 'new address, PIN by mail',
    by: changeEmail.sendPinMail,
    write: (scene) =>
      changeEmail.sendPinMail(scene.trx, scene.deps, buildEmailChange(scene), { owner: scene.user, pin: '482911' }),
  },
  {
    name: 'new address, link',
    by: changeEmail.sendLinkMail,
    write: (scene) => changeEmail.sendLinkMail(scene.trx, scene.deps, buildEmailChange(scene), token),
  },
  {
    name: 'new address, taken',
    by: changeEmail.sendAddressTakenMail,
    write: (scene) => changeEmail.sendAddressTakenMail(scene.trx, scene.deps, buildEmailChange(scene)),
  },
  {
    name: 'new address, stopped',
    by: changeEmail.sendCanceledMail,
    write: (scene) => changeEmail.sendCanceledMail(scene.trx, scene.deps, buildEmailChange(scene), scene.user),
  },
  {
    name: 'new address, changed',
    by: changeEmail.sendEmailChangedMails,
    write: (scene) => changeEmail.sendEmailChangedMails(scene.trx, scene.deps, buildEmailChange(scene), scene.user),
  },
]

const numberLossSample = (name: string, days: number): MessageSample => ({
  name,
  by: createNumberReminder,
  write({ trx, deps, user, service, schedule }) {
    const sendCondition = { serviceId: service.id, premise: 'sample', byDay: true }
    return queueMessages(
      trx,
      deps,
      createNumberReminder(deps, { user, service, schedule, onlyWhile: sendCondition }, days),
    )
  },
})

export const messageSamples: readonly MessageSample[] = [
  ...purchaseSamples,
  ...transferMessageSamples,
  ...planEndSamples,
  ...messageCopySamples,
  ...usageMessageSamples,
  ...erasureSamples,
  ...callerPinSamples,
  {
    name: 'plan expired',
    by: createExpiryMail,
    write: ({ trx, deps, user, service, schedule }) =>
      queueMessages(trx, deps, [createExpiryMail(deps, { user, service, schedule, onlyWhile: null })]),
  },
  numberLossSample('number goes in 14 days', 14),
  numberLossSample('number goes tonight', 1),
  ...accountSamples,
  yearSummarySample('12 months, one number', 1),
  yearSummarySample('12 months, three numbers', 3),
]
