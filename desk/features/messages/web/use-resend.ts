import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { resendRefusedMessage } from '../messages.contract.ts'

export function useResend(onSent: () => void) {
  const api = useApi()
  const [sent, setSent] = useState<ReadonlySet<string>>(new Set())
  const [pending, setPending] = useState<string | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const [error, setError] = useState<Error | null>(null)
  async function resendMessage(id: string): Promise<void> {
    if (pending !== null || sent.has(id)) return
    setPending(id)
    setMessage(null)
    setError(null)
    try {
      const { data } = await withFormErrors(api.call(resendRefusedMessage, { params: { id } }))
      setSent((before) => new Set([...before, id]))
      setMessage(data.said)
      onSent()
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setPending(null)
    }
  }
  return { again: (id: string) => void resendMessage(id), sent, pending, said: message, error }
}
