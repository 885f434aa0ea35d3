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
import { NewCardForm } from './NewCardForm.tsx'
import { NoSavedCard, SavedCard } from './SavedCard.tsx'

export default function PaymentMethodPage() {
  /*
   * The card can also change elsewhere: a purchase may save one, or the bank may respond after the customer has left
   * this page.
   */
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

type ShownView = 'card' | 'form' | 'removal'

function PaymentMethod({ card }: { card: CardToken | null }) {
  const [shownView, setShownView] = useState<ShownView>('card')
  const [doneMessage, setDoneMessage] = useState<string | null>(null)
  const openFormButtonId = useId()

  // When the form is closed or the card is removed, the focused element disappears, so focus the button that opens the form.
  const previousView = useRef(shownView)
  useEffect(() => {
    if (shownView === 'card' && (previousView.current === 'form' || (previousView.current === 'removal' && !card)))
      document.getElementById(openFormButtonId)?.focus()
    previousView.current = shownView
  }, [shownView, openFormButtonId, card])

  function showView(next: ShownView, message: string | null = null) {
    setShownView(next)
    setDoneMessage(message)
  }
  const openForm = { id: openFormButtonId, onClick: () => showView('form') }
  return (
    <>
      <div role="status">{doneMessage && <Banner kind="good">{doneMessage}</Banner>}</div>
      {shownView === 'form' && (
        <NewCardForm
          isFirst={!card}
          onBack={() => showView('card')}
          onDone={() => showView('card', paymentMethodMessages.done)}
        />
      )}
      {shownView !== 'form' &&
        (card ? (
          <SavedCard card={card} update={openForm} remove={{ onClick: () => showView('removal') }} />
        ) : (
          <NoSavedCard add={openForm} />
        ))}
      {card && shownView === 'removal' && (
        <Suspense>
          <RemoveCard
            card={card}
            open
            onClose={() => showView('card')}
            onRemoved={() => showView('card', paymentMethodMessages.removed)}
          />
        </Suspense>
      )}
    </>
  )
}
