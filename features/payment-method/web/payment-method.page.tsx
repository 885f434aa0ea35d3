import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
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
  // The card can change elsewhere: through a purchase, or when a bank responds after the customer has left this page.
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

const RemoveCard = lazy(() => import('./RemoveCard.tsx'))

type Shown = 'card' | 'form' | 'removal'

function PaymentMethod({ card }: { card: CardToken | null }) {
  const [shown, setShown] = useState<Shown>('card')
  const [done, setDone] = useState<string | null>(null)
  const opener = useId()

  // The form and the dialog move the focus themselves. When neither returns it to its opener, the focus moves to the
  // current button.
  const before = useRef(shown)
  useEffect(() => {
    if (shown === 'card' && (before.current === 'form' || (before.current === 'removal' && !card)))
      document.getElementById(opener)?.focus()
    before.current = shown
  }, [shown, opener, card])

  function show(next: Shown, message: string | null = null) {
    setShown(next)
    setDone(message)
  }
  const open = { id: opener, onClick: () => show('form') }
  return (
    <>
      <div role="status">{done && <Banner kind="good">{done}</Banner>}</div>
      {shown === 'form' && (
        <NewCard isFirst={!card} onBack={() => show('card')} onDone={() => show('card', paymentMethodMessages.done)} />
      )}
      {shown !== 'form' &&
        (card ? (
          <SavedCard card={card} update={open} remove={{ onClick: () => show('removal') }} />
        ) : (
          <NoCard add={open} />
        ))}
      {card && shown === 'removal' && (
        <Suspense>
          <RemoveCard
            card={card}
            open
            onClose={() => show('card')}
            onRemoved={() => show('card', paymentMethodMessages.removed)}
          />
        </Suspense>
      )}
    </>
  )
}
