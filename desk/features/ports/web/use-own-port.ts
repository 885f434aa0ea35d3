import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { handBackPort, takePort } from '../ports.contract.ts'

export function useOwnPort(onChanged: () => void) {
  const api = useApi()
  const [error, setError] = useState<Error | null>(null)
  const ask = async (endpoint: typeof takePort | typeof handBackPort, reference: string): Promise<void> => {
    setError(null)
    await inWords(api.call(endpoint, { params: { reference } })).catch(setError)
    onChanged()
  }
  return {
    take: (reference: string) => void ask(takePort, reference),
    handBack: (reference: string) => void ask(handBackPort, reference),
    error,
  }
}
