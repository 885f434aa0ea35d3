import { useRef, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { remindCustomer } from '../ports.contract.ts'

/** Two clicks within this many milliseconds count as one. */
const doubleClickMs = 3_000

export function useReminder(onChanged: () => void, onSaid: (text: string | null) => void) {
  const api = useApi()
  const [error, setError] = useState<Error | null>(null)
  const lastReminder = useRef<{ reference: string; at: number } | null>(null)
  const sendReminder = async (reference: string): Promise<void> => {
    const now = performance.now()
    if (lastReminder.current?.reference === reference && now - lastReminder.current.at < doubleClickMs) return
    lastReminder.current = { reference, at: now }
    setError(null)
    onSaid(null)
    await withFormErrors(api.call(remindCustomer, { params: { reference } })).then(
      ({ data }) => onSaid(data.said),
      setError,
    )
    onChanged()
  }
  return { remind: (reference: string) => void sendReminder(reference), error }
}
