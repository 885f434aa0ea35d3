import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { sendAgain } from '../messages.contract.ts'

export function useSendAgain(onSent: () => void) {
  const api = useApi()
  const [sent, setSent] = useState<ReadonlySet<string>>(new Set())
  const [pending, setPending] = useState<string | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [error, setError] = useState<Error | null>(null)
  async function again(id: string): Promise<void> {
    if (pending !== null || sent.has(id)) return
    setPending(id)
    setSaid(null)
    setError(null)
    try {
      const { data } = await inWords(api.call(sendAgain, { params: { id } }))
      setSent((before) => new Set([...before, id]))
      setSaid(data.said)
      onSent()
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setPending(null)
    }
  }
  return { again: (id: string) => void again(id), sent, pending, said, error }
}
