import { useState } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { FactStrip } from '#kit/web/desk/FactStrip.tsx'
import { hourOf } from '#kit/web/desk/timeline-days.ts'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { type Customer, showEmail } from '../customers.contract.ts'
import { useCustomer } from './use-customer.ts'
import s from './customer.module.css'

type Props = { id: string; customer: Customer }

/** What there is to know beside what happened. */
export function CustomerFacts({ id, customer }: Props) {
  const { contact_phone: phone, saved_card: card, sessions, marketing, erased } = customer
  if (erased) return null
  return (
    <FactStrip
      facts={[
        { label: 'E-mail', value: <Email id={id} masked={customer.email} /> },
        { label: 'Contact phone', value: phone ?? 'None' },
        { label: 'Saved card', value: card ? `${card.name}, ${card.expiry}` : 'None' },
        { label: 'Signed in on', value: sessions === 1 ? '1 device' : `${sessions} devices` },
        { label: 'Sign-in limits', value: <Limits limits={customer.limits} /> },
        { label: 'Offers by mail', value: marketing ? 'Yes' : 'No' },
      ]}
    />
  )
}

/** Masked until somebody needs it: that it was shown is written down. */
function Email({ id, masked }: { id: string; masked: string }) {
  const { call, refresh } = useCustomer(id)
  const [shown, setShown] = useState<string | null>(null)
  const showing = useMutation({
    mutationFn: () => call((api) => api.call(showEmail, { params: { id } })),
    onSuccess({ email }) {
      setShown(email)
      void refresh()
    },
  })
  return (
    <>
      <span role="status">{shown ?? masked}</span>
      {shown === null && (
        <button
          type="button"
          className={s.eye}
          title="Show it: that is written down"
          aria-label="Show the e-mail address"
          aria-busy={showing.isPending || undefined}
          onClick={() => void (showing.isPending || showing.mutate())}
        >
          <DeskIcon name="eye" />
        </button>
      )}
      {showing.isError && (
        <span role="alert" className={s.small}>
          It could not be shown.
        </span>
      )}
    </>
  )
}

/** Free while all are below their mark; what of them is used stands below. */
function Limits({ limits }: { limits: Customer['limits'] }) {
  const { zone } = useBootstrap().market
  const locked = limits.find(({ used, most }) => used >= most)
  return (
    <span className={s.limits}>
      {locked ? <span className={s.bad}>Locked{locked.until && ` until ${hourOf(locked.until, zone)}`}</span> : 'Free'}
      {limits.map(({ of, used, most }) => (
        <span key={of} className={s.small}>
          {used} of {most} {of}
        </span>
      ))}
    </span>
  )
}
