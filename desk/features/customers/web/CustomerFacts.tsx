import { appendZoneToTime } from '#kit/contract/zone-name.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { FactStrip } from '#kit/web/desk/FactStrip.tsx'
import { formatTime24 } from '#kit/web/desk/timeline-days.ts'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import { type Customer, showEmail } from '../customers.contract.ts'
import { MaskedValue } from './MaskedValue.tsx'
import { useCustomer } from './use-customer.ts'
import * as s from './customer.module.css'

type Props = { id: string; customer: Customer }

export function CustomerFacts({ id, customer }: Props) {
  const { contact_phone: phone, saved_card: card, marketing, erased } = customer
  if (erased) return null
  return (
    <FactStrip
      facts={[
        { label: 'E-mail', value: <Email id={id} masked={customer.email} /> },
        { label: 'Contact phone', value: phone ?? 'None' },
        { label: 'Saved card', value: card ? `${card.name}, ${card.expiry}` : 'None' },
        { label: 'Signed in', value: <LastSignIn customer={customer} /> },
        { label: 'Sign-in limits', value: <AccountLimits customer={customer} /> },
        { label: 'Marketing emails', value: marketing ? 'Yes' : 'No' },
      ]}
    />
  )
}

function Email({ id, masked }: { id: string; masked: string }) {
  const { call, refresh } = useCustomer(id)
  return (
    <MaskedValue
      masked={masked}
      label="Show the e-mail address"
      show={async () => (await call((api) => api.call(showEmail, { params: { id } }))).email}
      onShown={() => void refresh()}
    />
  )
}

function LastSignIn({ customer: { sessions, signed_in: at } }: { customer: Customer }) {
  const { zone } = useBootstrap().market
  if (!at) return <span key="no">No</span>
  return (
    <span key="yes" className={s.limits}>
      {formatDayAndTime(at, zone)}
      <span className={s.small}>on {sessions === 1 ? '1 device' : `${sessions} devices`}</span>
    </span>
  )
}

function AccountLimits({ customer: { limits, ip_may_be_locked: mayBeLocked } }: { customer: Customer }) {
  const { zone } = useBootstrap().market
  const reachedLimit = limits.find(({ used, most }) => used >= most)
  return (
    <span className={s.limits}>
      {reachedLimit ? (
        <span className={s.bad}>
          {reachedLimit.until
            ? `Locked until ${appendZoneToTime(formatTime24(reachedLimit.until, zone), zone)}`
            : 'Locked'}
        </span>
      ) : (
        <span>{mayBeLocked ? 'May be locked on one network' : 'Not locked'}</span>
      )}
      {limits.map(({ of, used, most }) => (
        <span key={of} className={s.small}>
          {used} of {most} {of}
        </span>
      ))}
    </span>
  )
}
