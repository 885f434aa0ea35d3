import { useRef, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { remindOfPort } from '../ports.contract.ts'

/** Two presses within this many milliseconds count as one. */
const onePress = 3_000

export function useReminder(onChanged: () => void, onSaid: (said: string | null) => void) {
  const api = useApi()
  const [error, setError] = useState<Error | null>(null)
  const pressed = useRef<{ reference: string; at: number } | null>(null)
  const remind = async (reference: string): Promise<void> => {
    const now = performance.now()
    if (pressed.current?.reference === reference && now - pressed.current.at < onePress) return
    pressed.current = { reference, at: now }
    setError(null)
    onSaid(null)
    await inWords(api.call(remindOfPort, { params: { reference } })).then(({ data }) => onSaid(data.said), setError)
    onChanged()
  }
  return { remind: (reference: string) => void remind(reference), error }
}
