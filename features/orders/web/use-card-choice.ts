import { useEffect, useState } from 'react'
import { type GenericSchema, object, type ObjectEntries } from 'valibot'
import type { CardForm } from '#kit/contract/card.contract.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { cardSchemaNow, encryptedCard, prepareEncryption } from '#kit/web/card/encrypted-card.ts'
import type { CardToken } from '#features/auth/auth.contract.ts'

export type CardChoice = {
  saved: CardToken | null
  /** The saved card is there and has not expired. */
  isUsable: boolean
  usesSaved: boolean
  choose: (which: 'saved' | 'another') => void
  /** The rules of the form: those of its other fields, and while another card pays, those of that. */
  schema: GenericSchema
  /** What is sent of the card: that it is the saved one, or another that only the gateway can read. */
  fieldsOf: (card: CardForm) => Promise<object>
}

/** Which card pays: the saved one, unless the customer says otherwise, or another. `others` are the rules of the form's other fields. */
export function useCardChoice(saved: CardToken | null, others: ObjectEntries): CardChoice {
  const bootstrap = useBootstrap()
  const [schemas] = useState(() => ({ saved: object(others), another: cardSchemaNow(bootstrap.market.zone, others) }))
  const isUsable = saved !== null && !saved.is_expired
  // A card that is saved in another tab meanwhile takes nothing away while the customer types.
  const [another, setAnother] = useState(!isUsable)
  const usesSaved = isUsable && !another

  useEffect(() => {
    if (another) prepareEncryption()
  }, [another])

  return {
    saved,
    isUsable,
    usesSaved,
    choose: (which) => setAnother(which === 'another'),
    schema: usesSaved ? schemas.saved : schemas.another,
    fieldsOf: async (card) =>
      usesSaved ? { use_saved_card: true } : { use_saved_card: false, ...(await encryptedCard(bootstrap, card)) },
  }
}
