import { formatDate } from '#kit/contract/dates.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { CallerStatus } from '#desk/features/caller-verification/web/CallerStatus.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { formatTime24 } from '#kit/web/desk/timeline-days.ts'
import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import {
  type Customer,
  type CustomerActionName,
  type CustomerNumber,
  type CustomerPage,
  paymentSummaryDays,
} from '../customers.contract.ts'
import { actionLabels } from './action.labels.ts'
import * as s from './customer.module.css'

type Props = {
  name: string
  opened: NonNullable<CustomerPage['opened']>
  customer: Customer
  onAct: (act: CustomerActionName) => void
  onNote: (() => void) | null
  callerMinutes: number
  onVerify: (() => void) | null
}

export function CustomerHead({ name, opened, customer, onAct, onNote, callerMinutes, onVerify }: Props) {
  const { zone } = useBootstrap().market
  const canUnlock = customer.acts.includes('unlock')
  useShortcuts({
    ...(onNote && { n: onNote }),
    ...(onVerify && callerMinutes === 0 && { v: onVerify }),
    ...(canUnlock && { u: () => onAct('unlock') }),
  })
  const count = customer.numbers.filter(({ state }) => state !== 'released').length
  return (
    <header className={s.head}>
      <div className={s.who}>
        <h1>{name}</h1>
        <Pills customer={customer} />
        <p className={s.since}>
          Customer since {formatDate(customer.since, zone)} · {count === 1 ? '1 number' : `${count} numbers`} ·{' '}
          {paymentsLabel(customer.money)} · opened for: {opened.why.toLowerCase()}, until{' '}
          {formatTime24(opened.until, zone)}
        </p>
      </div>
      <div className={s.acts}>
        {onVerify && <CallerStatus minutes={callerMinutes} onVerify={onVerify} />}
        {onNote && !customer.erased && (
          <DenseButton icon="note" keys="N" onClick={onNote}>
            Note
          </DenseButton>
        )}
        {customer.acts.map((act) => (
          <DenseButton
            key={act}
            icon={actionLabels[act].icon}
            {...(act === 'unlock' && { keys: 'U' })}
            kind={act === 'block' ? 'bad' : 'quiet'}
            onClick={() => onAct(act)}
          >
            {actionLabels[act].title}
          </DenseButton>
        ))}
      </div>
    </header>
  )
}

function paymentsLabel({ paid, given }: Customer['money']): string {
  const sum = (amount: string): string =>
    decimalToCents(amount) > 0 ? formatPriceWithCommas(decimalToCents(amount)) : 'nothing'
  return `${sum(paid)} paid in the last ${paymentSummaryDays} days · ${sum(given)} refunded`
}

/** Considers only active plans, because a plan that has ended can no longer renew automatically. */
const hasRenewalFailed = ({ state, renewal_failed: failed }: CustomerNumber): boolean => state === 'active' && failed

function Pills({
  customer: { email_verified: isConfirmed, blocked, erased, to_be_erased: due, numbers },
}: {
  customer: Customer
}) {
  const { zone } = useBootstrap().market
  if (erased) return <Pill kind="warn">Erased on {formatDate(erased, zone)}</Pill>
  return (
    <>
      {isConfirmed ? <Pill kind="good">E-mail confirmed</Pill> : <Pill kind="warn">E-mail not confirmed</Pill>}
      {numbers.some(hasRenewalFailed) && <Pill kind="warn">Auto-renewal failing</Pill>}
      {blocked && <Pill kind="warn">Blocked since {formatDate(blocked, zone)}</Pill>}
      {due && <Pill kind="warn">To be erased on {formatDate(due, zone)}</Pill>}
    </>
  )
}
