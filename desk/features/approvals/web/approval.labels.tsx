import type { ReactNode } from 'react'
import { formatLongDate } from '#kit/contract/days.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { Link } from '#kit/web/Link.tsx'
import { formatRights, roleNames } from '#desk/features/staff/staff.contract.ts'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import { type Approval, type ApprovalOfKind, settlementOutcomeLabels } from '../approvals.contract.ts'

export type ApprovalLabels = {
  /** The request's title, for example "Refund of $22.00". The approval card adds a question mark. */
  title: string
  name: string
  /** The request as the object of a sentence, for example "the refund of $22.00". */
  what: string
  link: { path: string; text: string }
  facts: readonly (readonly [string, ReactNode])[]
  done: (outcome: 'received' | 'unknown' | 'refused' | null, why: string) => string
  /** Why the request can no longer be approved. `null` if it still can be. */
  stale: string | null
}

export function approvalLabels(approval: Approval, zone: string): ApprovalLabels {
  if (approval.kind === 'catalogue') return catalogueLabels(approval, zone)
  if (approval.kind === 'limits') return limitLabels(approval)
  if (approval.kind === 'staff') return staffLabels(approval)
  if (approval.kind === 'settlement') return settlementLabels(approval)
  return approval.kind === 'vouchers' ? voucherLabels(approval) : refundLabels(approval)
}

function refundLabels({ amount, subject, customer, paid, title }: ApprovalOfKind<'refund'>): ApprovalLabels {
  const sum = formatPriceWithCommas(decimalToCents(amount))
  const link = { path: `/orders/${subject}/`, text: subject }
  const outcomes = {
    received: () => `The refund of ${sum} is on its way.`,
    unknown: () => `The gateway hasn’t answered yet. We’ll keep trying, and the customer won’t get the ${sum} twice.`,
    refused: (why: string) => `The gateway refused the refund: ${why}. A task was added to Today.`,
  }
  return {
    title: `Refund of ${sum}`,
    name: `Refund of ${sum} for ${subject}`,
    what: `the refund of ${sum}`,
    link,
    facts: [
      ['Customer', customer],
      ['Order', renderLink(link)],
      ['Paid', `${formatPriceWithCommas(decimalToCents(paid))}, ${title}`],
    ],
    done: (outcome, why) => outcomes[outcome ?? 'received'](why),
    stale: null,
  }
}

function settlementLabels(request: ApprovalOfKind<'settlement'>): ApprovalLabels {
  const sum = formatPriceWithCommas(decimalToCents(request.amount))
  const { subject, of, said, customer, title } = request
  const link = { path: `/orders/${subject}/`, text: subject }
  const outcomeText = settlementOutcomeLabels[of][said]
  return {
    title: `Settle ${of === 'refund' ? 'a refund' : 'a payment'} of ${sum} by hand`,
    name: `Settle ${sum} for ${subject} by hand`,
    what: `settling ${sum} by hand`,
    link,
    facts: [
      ['Shown on the gateway’s site', outcomeText],
      ['Gateway’s reference', request.psp_reference],
      ['Our reference', request.reference],
      ['Customer', customer],
      ['Order', renderLink(link)],
      ['Bought', title],
    ],
    done: () => `Settled by hand: ${outcomeText.charAt(0).toLowerCase()}${outcomeText.slice(1)}.`,
    stale: null,
  }
}

function catalogueLabels(
  { subject, path, from, changes, worse, better, is_stale: isStale }: ApprovalOfKind<'catalogue'>,
  zone: string,
): ApprovalLabels {
  const time = from ? formatDayAndTime(from, zone) : null
  const link = { path, text: path.includes('/versions/') ? `Version ${path.split('/').at(-2)}` : `Draft ${subject}` }
  return {
    title: time ? `New catalogue from ${time}` : 'New catalogue, effective immediately',
    name: `New catalogue from draft ${subject}`,
    what: time ? `the new catalogue from ${time}` : 'the new catalogue',
    link,
    facts: [
      ['Changes', renderLink({ path, text: `${link.text}, ${changes} ${changes === 1 ? 'change' : 'changes'}` })],
      ...better.map((change) => ['Better for customers', change] as const),
      ...worse.map((words) => ['Worse for customers', words] as const),
    ],
    done: () => (time ? `The new catalogue takes effect on ${time}.` : 'The new catalogue is on sale.'),
    stale: isStale
      ? 'Since this request was made, the draft was changed, published or deleted. You can only decline the request.'
      : null,
  }
}

function voucherLabels({ subject, count, title, expires, worth }: ApprovalOfKind<'vouchers'>): ApprovalLabels {
  const link = { path: `/stock/batches/${subject}/`, text: `Batch ${subject}` }
  const quantity = `${count.toLocaleString('en-NZ')} ${count === 1 ? 'voucher' : 'vouchers'}`
  return {
    title: `Make ${quantity}`,
    name: `Make voucher batch ${subject} (${quantity})`,
    what: quantity,
    link,
    facts: [
      ['Plan', title],
      ['Batch', renderLink(link)],
      ['Valid until', formatLongDate(expires)],
      ['Total value', formatPriceWithCommas(decimalToCents(worth))],
    ],
    done: () => 'Approved. The requester can now download the codes, but only once.',
    stale: null,
  }
}

function limitLabels(request: ApprovalOfKind<'limits'>): ApprovalLabels {
  const price = (amount: string): string => formatPriceWithCommas(decimalToCents(amount))
  const role = roleNames[request.role]
  const [order, day] = [price(request.to_order), price(request.to_day)]
  return {
    title: `Change the limits for ${role}`,
    name: `Change the limits for ${role}`,
    what: `new limits for ${role}`,
    link: { path: '/limits/', text: 'Limits' },
    facts: [
      ['Refund limit per order', `${price(request.from_order)} → ${order}`],
      ['Refund limit per 24 hours', `${price(request.from_day)} → ${day}`],
    ],
    done: () => `${role} can now refund ${order} per order and ${day} in 24 hours without approval.`,
    stale: request.is_stale ? 'The limits were changed after this request was made, so you can only decline it.' : null,
  }
}

const rolesText = ({ roles, is_lead: isLead }: ApprovalOfKind<'staff'>['after']): string =>
  formatRights({ roles, isLead })

function staffLabels({ act, subject, before, after, is_stale: isStale }: ApprovalOfKind<'staff'>): ApprovalLabels {
  const { name } = after
  const isNew = before === null
  const previousRoles = before?.suspended ? 'Suspended' : before && rolesText(before)
  const newRoles = rolesText(after)
  const title = act === 'roles' ? `Change ${name}’s roles` : isNew ? `Invite ${name}` : `Invite ${name} again`
  return {
    title,
    name: title,
    what: act === 'roles' ? `new roles for ${name}` : `the invitation for ${name}`,
    link: { path: '/team/', text: 'Team' },
    facts: [
      ['E-mail', subject],
      ...(before && before.name !== name ? ([['Name', `${before.name} → ${name}`]] as const) : []),
      ['Roles', previousRoles === null || previousRoles === newRoles ? newRoles : `${previousRoles} → ${newRoles}`],
      ...(act === 'invite'
        ? ([
            [
              'Link',
              isNew
                ? `We’ll email it to ${subject}`
                : `We’ll email it to ${subject}. The passkey they create with it replaces any they have now.`,
            ],
          ] as const)
        : []),
    ],
    done: () =>
      act === 'roles' ? `${name}’s roles have been changed.` : `The invitation is on its way to ${subject}.`,
    stale: isStale
      ? `${name}’s details or roles changed after this request was made, so you can only decline it.`
      : null,
  }
}

export const isGrant = ({ kind }: Pick<Approval, 'kind'>): boolean => kind === 'staff' || kind === 'limits'

const renderLink = ({ path, text }: ApprovalLabels['link']): ReactNode => (
  <Link key={path} href={path}>
    {text}
  </Link>
)
