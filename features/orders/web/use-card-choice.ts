import { useState } from 'react'
import { object, type ObjectEntries } from 'valibot'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { type NewCard, useNewCard } from './use-new-card.tsx'

/** Its rules and what it sends are those of the card that pays: of the saved one there is nothing to fill in. */
export type CardChoice = NewCard & {
  saved: CardToken | null
  /** The saved card is there and has not expired. */
  isUsable: boolean
  usesSaved: boolean
  choose: (which: 'saved' | 'another') => void
}

/** Which card pays: the saved one, unless the customer says otherwise, or another. `others` are the rules of the form's other fields. */
export function useCardChoice(saved: CardToken | null, others: ObjectEntries): CardChoice {
  const newCard = useNewCard(others)
  const [ofOthers] = useState(() => object(others))
  const isUsable = saved !== null && !saved.is_expired
  // A card that is saved in another tab meanwhile takes nothing away while the customer types.
  const [another, setAnother] = useState(!isUsable)
  const usesSaved = isUsable && !another

  return {
    ...newCard,
    ...(usesSaved && { schema: ofOthers, fieldsOf: async () => ({ use_saved_card: true }) }),
    saved,
    isUsable,
    usesSaved,
    choose: (which) => setAnother(which === 'another'),
  }
}
