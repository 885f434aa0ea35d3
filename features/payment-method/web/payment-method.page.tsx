import { useEffect, useId, useRef, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { AccountFrame } from '#features/account/web/AccountFrame.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { paymentMethodMessages } from '../payment-method.contract.ts'
import { NewCard } from './NewCard.tsx'
import { NoCard, SavedCard } from './SavedCard.tsx'

export default function PaymentMethodPage() {
  // A card changes elsewhere, too: by a purchase, or when a bank answers after its customer has left this page.
  const user = useQuery({ ...accountQuery(useApi()), staleTime: 5_000 }).data?.user
  return (
    <AccountFrame title="Payment Method" lead={paymentMethodMessages.intro}>
      {user ? (
        <PaymentMethod card={user.credit_card_token} />
      ) : (
        <Card>
          <Skeleton lines={6} />
        </Card>
      )}
    </AccountFrame>
  )
}

/** The card as it is, or the form for a new one in its place. */
function PaymentMethod({ card }: { card: CardToken | null }) {
  const [isOpen, setOpen] = useState(false)
  const [isDone, setDone] = useState(false)
  const opener = useId()

  // The form takes the reader along when it opens; from where it was they are taken back to what opened it.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) document.getElementById(opener)?.focus()
    wasOpen.current = isOpen
  }, [isOpen, opener])

  function show({ form, done = false }: { form: boolean; done?: boolean }) {
    setOpen(form)
    setDone(done)
  }
  const open = { id: opener, onClick: () => show({ form: true }) }
  return (
    <>
      <div role="status">{isDone && <Banner kind="good">{paymentMethodMessages.done}</Banner>}</div>
      {isOpen && (
        <NewCard
          isFirst={!card}
          onBack={() => show({ form: false })}
          onDone={() => show({ form: false, done: true })}
        />
      )}
      {!isOpen && (card ? <SavedCard card={card} update={open} /> : <NoCard add={open} />)}
    </>
  )
}
